/* SPDX-License-Identifier: MIT */
/* Spin locks. Compiled without ticks, so the code between decision points and kernel calls is atomic.
 *
 * A thread that finds the lock taken sleeps: spinning would not help, because no other thread runs meanwhile. The word
 * has the format of a mutex. */
#include <errno.h>
#include <pthread.h>

#include "libc-port/src/thread/pthread_mutex.h"

static uint32_t *word(pthread_spinlock_t *lock)
{
	return (uint32_t *)lock;
}

int pthread_spin_lock(pthread_spinlock_t *lock)
{
	thread_point(SCHED_OP_pthread_spin_lock, lock);
	uint32_t waiters = 0;
	while (*word(lock)) {
		*word(lock) |= LOCK_WAITERS;
		thread_wait(word(lock), *word(lock), CLOCK_REALTIME, NULL, THREAD_WAIT_spin, lock, word(lock), false);
		waiters = LOCK_WAITERS; /* more threads may wait */
	}
	*word(lock) = thread_self()->tid | waiters;
	return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock)
{
	thread_point(SCHED_OP_pthread_spin_lock, lock);
	if (*word(lock))
		return EBUSY;
	*word(lock) = thread_self()->tid;
	return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *lock)
{
	thread_point(SCHED_OP_pthread_spin_unlock, lock);
	uint32_t was = *word(lock);
	*word(lock) = 0;
	if (was & LOCK_WAITERS)
		thread_wake(word(lock), 1);
	return 0;
}

int pthread_spin_init(pthread_spinlock_t *lock, int)
{
	*lock = 0;
	return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *)
{
	return 0;
}
