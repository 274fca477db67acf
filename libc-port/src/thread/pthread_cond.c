/* SPDX-License-Identifier: MIT */
/* Condition variables. Compiled without ticks, so the code between decision points and kernel calls is atomic.
 *
 * A waiting thread sleeps on the sequence number. Each signal and broadcast changes it, so none is missed between the
 * release of the mutex and the sleep. A broadcast wakes all threads. The scheduler decides which one gets the mutex
 * first; most find it free, because one thread runs at a time. */
#include <errno.h>
#include <pthread.h>

#include "libc-port/src/thread/deadline.h"
#include "libc-port/src/thread/pthread_attr.h"
#include "libc-port/src/thread/pthread_mutex.h"

/* Values of __left, the futex word of a thread that waits in pthread_cond_destroy. */
enum { NOBODY_DESTROYS, IS_DESTROYED };

/* Called when this thread no longer uses the condition variable. */
static void leave(pthread_cond_t *cond)
{
	if (--cond->__waiters || cond->__left == NOBODY_DESTROYS)
		return;
	cond->__left = NOBODY_DESTROYS;
	thread_wake(&cond->__left, 1);
}

/* Releases the mutex and sleeps. */
static int let_go_and_sleep(pthread_cond_t *cond, pthread_mutex_t *mutex, int wake, clockid_t clock,
                            const struct timespec *deadline)
{
	uint32_t sequence = cond->__sequence;
	int result = EINTR;
	if (wake == 0 || wake == 1) {
		result = thread_wait_condition(&cond->__sequence, &mutex->__word, clock, deadline, cond);
	} else if (wake != MUTEX_KEPT) {
		mutex->__word = 0;
		thread_wake(&mutex->__word, wake);
	}
	while (result == EINTR)
		result = thread_wait(&cond->__sequence, sequence, clock, deadline, THREAD_WAIT_condition, cond, NULL,
		                     true);
	return result;
}

/* A cancelled thread owns the mutex when its cleanup handlers run, and consumes no signal. */
static int wait_on_condition(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                             const struct timespec *deadline)
{
	thread_point(SCHED_OP_pthread_cond_wait, cond);
	int wake, result = deadline_check(clock, deadline);
	if (result)
		return result;
	thread_testcancel();
	result = mutex_let_go(mutex, &wake);
	if (result)
		return result;
	cond->__waiters++;
	result = let_go_and_sleep(cond, mutex, wake, clock, deadline);
	leave(cond);
	int error = mutex_acquire(mutex, CLOCK_REALTIME, NULL);
	if (result == ECANCELED)
		thread_testcancel();
	if (error)
		return error;
	return result == ETIMEDOUT ? result : 0;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	return wait_on_condition(cond, mutex, CLOCK_REALTIME, NULL);
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *deadline)
{
	return wait_on_condition(cond, mutex, cond->__clock, deadline);
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *deadline)
{
	return wait_on_condition(cond, mutex, clock, deadline);
}

static int wake(pthread_cond_t *cond, int count)
{
	if (!cond->__waiters)
		return 0;
	cond->__sequence++;
	thread_wake(&cond->__sequence, count);
	return 0;
}

int pthread_cond_signal(pthread_cond_t *cond)
{
	thread_point(SCHED_OP_pthread_cond_signal, cond);
	return wake(cond, 1);
}

int pthread_cond_broadcast(pthread_cond_t *cond)
{
	thread_point(SCHED_OP_pthread_cond_broadcast, cond);
	return wake(cond, INT_MAX);
}

int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes)
{
	*cond = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
	if (attributes)
		cond->__clock = attributes->__clock;
	return 0;
}

/* Waits for threads that were woken but have not left yet. */
int pthread_cond_destroy(pthread_cond_t *cond)
{
	while (cond->__waiters) {
		cond->__left = IS_DESTROYED;
		thread_wait(&cond->__left, IS_DESTROYED, CLOCK_REALTIME, NULL, THREAD_WAIT_condition, cond, NULL,
		            false);
	}
	return 0;
}

int pthread_condattr_init(pthread_condattr_t *attributes)
{
	*attributes = (pthread_condattr_t){.__clock = CLOCK_REALTIME};
	return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *)
{
	return 0;
}

ATTR_GET(pthread_condattr_getclock, pthread_condattr_t, clockid_t, __clock)

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock)
{
	int error = deadline_check_clock(clock);
	if (!error)
		attributes->__clock = (int)clock;
	return error;
}

ATTR_GET(pthread_condattr_getpshared, pthread_condattr_t, int, __shared)
ATTR_SET(pthread_condattr_setpshared, pthread_condattr_t, __shared, PTHREAD_PROCESS_PRIVATE, PTHREAD_PROCESS_SHARED)
