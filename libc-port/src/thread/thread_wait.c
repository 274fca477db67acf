/* SPDX-License-Identifier: MIT */
/* Waits of threads in libc: on futexes. thread_note tells the kernel what a thread waits for. */
#include <string.h>

#include "abi/linux.h"
#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

#define NS_PER_S 1000000000L

/* Begins a wait. Returns 0, or the error that prevents it. */
static int begin_wait(const struct timespec *deadline, enum thread_wait why, const void *object, const uint32_t *holder,
                      bool cancellable)
{
	struct pthread *self = thread_self();
	if (deadline && (deadline->tv_nsec < 0 || deadline->tv_nsec >= NS_PER_S))
		return EINVAL;
	if (cancellable && thread_is_cancelled())
		return ECANCELED;
	if (self == &thread_main)
		thread_tell_of_main();
	self->note.wait = why;
	self->note.object = object;
	self->note.holder = holder;
	self->note.joined = why == THREAD_WAIT_join ? *holder : 0;
	self->cancel_waits = cancellable;
	return 0;
}

/* The kernel accepts no time before 1970, so an earlier deadline becomes 0. */
static const struct linux_timespec *moment(const struct timespec *deadline)
{
	static const struct linux_timespec past;
	return deadline && deadline->tv_sec < 0 ? &past : (const struct linux_timespec *)deadline;
}

static int end_wait(long result, bool cancellable)
{
	struct pthread *self = thread_self();
	self->cancel_waits = false;
	self->note.wait = THREAD_WAIT_none;
	if (result == -EINTR && cancellable && thread_is_cancelled())
		return ECANCELED;
	return (int)-result;
}

int thread_wait(const uint32_t *word, uint32_t expected, clockid_t clock, const struct timespec *deadline,
                enum thread_wait why, const void *object, const uint32_t *holder, bool cancellable)
{
	int operation = FUTEX_WAIT_BITSET | (clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0);
	int error = begin_wait(deadline, why, object, holder, cancellable);
	if (error)
		return error;
	return end_wait(
		kcall_futex((uint32_t *)word, operation, expected, moment(deadline), NULL, FUTEX_BITSET_MATCH_ANY),
		cancellable);
}

int thread_wait_condition(const uint32_t *word, uint32_t *lock, clockid_t clock, const struct timespec *deadline,
                          const void *object)
{
	int error = begin_wait(deadline, THREAD_WAIT_condition, object, NULL, true);
	if (error)
		return error;
	return end_wait(kcall_condition_wait((uint32_t *)word, lock, clock, moment(deadline)), true);
}

int thread_wake(const uint32_t *word, int count)
{
	return (int)kcall_futex((uint32_t *)word, FUTEX_WAKE_PRIVATE, (uint32_t)count, NULL, NULL, 0);
}
