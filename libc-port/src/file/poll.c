/* SPDX-License-Identifier: MIT */
/* Waiting for descriptors: poll(2) and select(2). */
#include <poll.h>
#include <signal.h>
#include <sys/select.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	return (int)kernel_result(
		THREAD_CANCELLABLE(kcall_poll((struct linux_pollfd *)fds, (unsigned)count, timeout_ms)));
}

/* The kernel writes the remaining time back, so it gets a copy: POSIX forbids changing the caller's timeout. */
int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
	struct timespec copy = timeout ? *timeout : (struct timespec){0, 0};
	return (int)kernel_result(THREAD_CANCELLABLE(
		kcall_ppoll((struct linux_pollfd *)fds, (unsigned)count,
	                    (const struct linux_timespec *)(timeout ? &copy : NULL), mask, sizeof(sigset_t))));
}

int select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *timeout)
{
	return (int)kernel_result(
		THREAD_CANCELLABLE(kcall_select(count, (struct linux_fd_set *)read, (struct linux_fd_set *)write,
	                                        (struct linux_fd_set *)except, (struct linux_timeval *)timeout)));
}

int pselect(int count, fd_set *read, fd_set *write, fd_set *except, const struct timespec *timeout,
            const sigset_t *mask)
{
	struct timespec copy = timeout ? *timeout : (struct timespec){0, 0};
	struct {
		const sigset_t *set;
		size_t bytes;
	} masking = {mask, sizeof(sigset_t)};
	return (int)kernel_result(THREAD_CANCELLABLE(kcall_pselect6(
		count, (struct linux_fd_set *)read, (struct linux_fd_set *)write, (struct linux_fd_set *)except,
		(const struct linux_timespec *)(timeout ? &copy : NULL), &masking)));
}
