/* SPDX-License-Identifier: MIT */
/* pthread_once(3). If its thread is cancelled, an initialisation does not count, and the next caller does it. */
#include "libc-port/src/thread/thread.h"

/* Values of pthread_once_t, a futex. While the initialisation runs, it is the number of its thread, with FUTEX_WAITERS
 * if others wait. */
enum {
	NOT_DONE = _PTHREAD_ONCE_INIT,
	DONE = FUTEX_OWNER_DIED,
};

_Static_assert((DONE & FUTEX_TID_MASK) == 0, "no thread's number");

static void finish_once(pthread_once_t *once, int state)
{
	bool waited_for = *once & FUTEX_WAITERS;
	*once = state;
	if (waited_for)
		thread_wake((const uint32_t *)once, INT_MAX);
}

static void give_up(void *once)
{
	finish_once(once, NOT_DONE);
}

/* volatile, because other threads may change it at points where they can run. */
static int state(volatile const pthread_once_t *once)
{
	return *once;
}

int pthread_once(pthread_once_t *once, void (*init)(void))
{
	thread_point(SCHED_OP_pthread_once, once);
	while (state(once) != DONE) {
		if (state(once) != NOT_DONE) {
			*once |= FUTEX_WAITERS;
			thread_wait((const uint32_t *)once, (uint32_t)*once, CLOCK_REALTIME, NULL, THREAD_WAIT_once,
			            once, (const uint32_t *)once, false);
			continue;
		}
		*once = (int)thread_self()->tid_kept;
		pthread_cleanup_push(give_up, once);
		init();
		pthread_cleanup_pop(0);
		finish_once(once, DONE);
	}
	return 0;
}
