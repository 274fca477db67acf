/* SPDX-License-Identifier: MIT */
/* Barriers. Compiled without ticks, so the code between decision points and kernel calls is atomic.
 *
 * The last thread to arrive begins a new generation, wakes the others, and is the serial one. */
#include <errno.h>
#include <pthread.h>

#include "libc-port/src/thread/pthread_attr.h"
#include "libc-port/src/thread/thread.h"

/* A barrier's count must be below this, as in glibc. */
#define COUNT_LIMIT INT_MAX

/* Values of __left, the futex word of a thread that waits in pthread_barrier_destroy. */
enum { NOBODY_DESTROYS, IS_DESTROYED };

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	thread_point(SCHED_OP_pthread_barrier_wait, barrier);
	uint32_t generation = barrier->__generation;
	if (++barrier->__arrived == barrier->__count) {
		bool alone = barrier->__count == 1;
		barrier->__arrived = 0;
		barrier->__generation++;
		if (!alone)
			thread_wake(&barrier->__generation, INT_MAX);
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	barrier->__inside++;
	while (barrier->__generation == generation)
		thread_wait(&barrier->__generation, generation, CLOCK_REALTIME, NULL, THREAD_WAIT_barrier, barrier,
		            NULL, false);
	if (--barrier->__inside == 0 && barrier->__left == IS_DESTROYED) {
		barrier->__left = NOBODY_DESTROYS;
		thread_wake(&barrier->__left, 1);
	}
	return 0;
}

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *, unsigned count)
{
	if (count == 0 || count >= COUNT_LIMIT)
		return EINVAL;
	*barrier = (pthread_barrier_t){.__count = count};
	return 0;
}

/* Waits for threads that were woken but have not left yet. */
int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	if (barrier->__arrived)
		return EBUSY;
	while (barrier->__inside) {
		barrier->__left = IS_DESTROYED;
		thread_wait(&barrier->__left, IS_DESTROYED, CLOCK_REALTIME, NULL, THREAD_WAIT_barrier, barrier, NULL,
		            false);
	}
	return 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attributes)
{
	*attributes = (pthread_barrierattr_t){.__shared = PTHREAD_PROCESS_PRIVATE};
	return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *)
{
	return 0;
}

ATTR_GET(pthread_barrierattr_getpshared, pthread_barrierattr_t, int, __shared)
ATTR_SET(pthread_barrierattr_setpshared, pthread_barrierattr_t, __shared, PTHREAD_PROCESS_PRIVATE,
         PTHREAD_PROCESS_SHARED)
