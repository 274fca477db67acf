/* SPDX-License-Identifier: MIT */
/* Sets of descriptors to wait on: epoll(7). */
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

KERNEL_FUNCTION(int, epoll_create, (int size), (size))
KERNEL_FUNCTION(int, epoll_create1, (int flags), (flags))
KERNEL_FUNCTION(int, epoll_ctl, (int set, int operation, int fd, struct epoll_event *event),
                (set, operation, fd, (const struct linux_epoll_event *)event))

int epoll_wait(int set, struct epoll_event *events, int count, int timeout_ms)
{
	return epoll_pwait(set, events, count, timeout_ms, NULL);
}

int epoll_pwait(int set, struct epoll_event *events, int count, int timeout_ms, const sigset_t *mask)
{
	return (int)kernel_result(THREAD_CANCELLABLE(
		kcall_epoll_pwait(set, (struct linux_epoll_event *)events, count, timeout_ms, mask, sizeof(sigset_t))));
}

int epoll_pwait2(int set, struct epoll_event *events, int count, const struct timespec *timeout, const sigset_t *mask)
{
	return (int)kernel_result(
		THREAD_CANCELLABLE(kcall_epoll_pwait2(set, (struct linux_epoll_event *)events, count,
	                                              (const struct linux_timespec *)timeout, mask, sizeof(sigset_t))));
}
