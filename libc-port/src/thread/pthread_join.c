/* SPDX-License-Identifier: MIT */
/* pthread_join(3), its forms with a time limit, and pthread_detach(3). */
#include "kernel/sys/point.h"
#include "libc-port/src/thread/thread.h"

/* Whether no other thread waits for a thread. The caller itself may, in an earlier call that a signal handler left by
 * longjmp. */
static bool has_no_joiner(const struct pthread *thread, const struct pthread *self)
{
	return thread->detach == THREAD_JOINABLE || (thread->detach == THREAD_JOINED && self->joining == thread);
}

/* Returns 0 if the caller can wait for a thread, or the error number. */
static int check(const struct pthread *thread, const struct pthread *self)
{
	if (thread->detach == THREAD_DETACHED)
		return EINVAL;
	if (thread == self || (thread->joining == self && !thread->cancel_asked))
		return EDEADLK;
	return has_no_joiner(thread, self) ? 0 : EINVAL;
}

static void take_result(struct pthread *thread, void **result)
{
	if (result)
		*result = thread->result;
	thread_stack_give(thread);
}

static int join(struct pthread *thread, void **result, clockid_t clock, const struct timespec *deadline)
{
	struct pthread *self = thread_self();
	kernel_point(SCHED_OP_pthread_join, thread);
	thread_testcancel();
	int error = check(thread, self);
	if (error)
		return error;
	thread->detach = THREAD_JOINED;
	struct pthread *left = self->joining == thread ? NULL : self->joining; /* set by a call that longjmp left */
	self->joining = thread;
	uint32_t tid;
	while ((tid = thread->tid)) {
		error = thread_wait(&thread->tid, tid, clock, deadline, THREAD_WAIT_join, thread, &thread->tid, true);
		if (error == ETIMEDOUT || error == EINVAL || error == ECANCELED)
			break;
	}
	self->joining = left;
	if (!tid) {
		take_result(thread, result);
		return 0;
	}
	thread->detach = THREAD_JOINABLE;
	thread_testcancel();
	return error;
}

int pthread_join(pthread_t id, void **result)
{
	return join((struct pthread *)id, result, CLOCK_REALTIME, NULL);
}

int pthread_clockjoin_np(pthread_t id, void **result, clockid_t clock, const struct timespec *deadline)
{
	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return EINVAL;
	return join((struct pthread *)id, result, clock, deadline);
}

int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *deadline)
{
	return join((struct pthread *)id, result, CLOCK_REALTIME, deadline);
}

int pthread_tryjoin_np(pthread_t id, void **result)
{
	struct pthread *thread = (struct pthread *)id;
	kernel_point(SCHED_OP_pthread_join, thread);
	if (thread->tid)
		return EBUSY;
	if (!has_no_joiner(thread, thread_self()))
		return EINVAL;
	thread->detach = THREAD_JOINED;
	take_result(thread, result);
	return 0;
}

int pthread_detach(pthread_t id)
{
	struct pthread *thread = (struct pthread *)id;
	kernel_point(SCHED_OP_pthread_join, thread);
	if (thread->detach == THREAD_DETACHED)
		return EINVAL;
	if (thread->detach == THREAD_JOINED)
		return 0;
	thread->detach = THREAD_DETACHED;
	if (thread->ended)
		thread_stack_give(thread);
	return 0;
}
