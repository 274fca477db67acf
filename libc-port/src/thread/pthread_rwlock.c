/* SPDX-License-Identifier: MIT */
/* Read-write locks. Compiled without ticks, so the code between decision points and kernel calls is atomic.
 *
 * Readers are preferred, as in glibc, except for PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP: a reader waits only
 * while a writer has the lock. When the lock becomes free, all waiting readers are woken, or else one writer. With the
 * exception, new readers wait behind waiting writers. A woken thread does not have the lock yet and checks again: the
 * thread that runs first takes it. */
#include <errno.h>
#include <pthread.h>

#include "libc-port/src/thread/deadline.h"
#include "libc-port/src/thread/pthread_attr.h"
#include "libc-port/src/thread/thread.h"

static bool prefers_writers(const pthread_rwlock_t *lock)
{
	return lock->__kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static bool is_unlocked(const pthread_rwlock_t *lock)
{
	return !lock->__writes && !lock->__readers;
}

static bool can_read(const pthread_rwlock_t *lock)
{
	return !lock->__writes && !(prefers_writers(lock) && lock->__writers_wait);
}

static bool is_writer(const pthread_rwlock_t *lock)
{
	return lock->__writes && lock->__holder == thread_self()->tid;
}

static int take_to_read(pthread_rwlock_t *lock)
{
	if (lock->__readers == UINT_MAX)
		return EAGAIN;
	if (lock->__readers++ == 0)
		lock->__holder = thread_self()->tid;
	return 0;
}

static int take_to_write(pthread_rwlock_t *lock)
{
	lock->__writes = 1;
	lock->__holder = thread_self()->tid;
	return 0;
}

/* Both return false if no thread sleeps. A waiting thread in a signal handler does not sleep; it checks the lock again
 * by itself. */
static bool wake_readers(pthread_rwlock_t *lock)
{
	lock->__readers_woken++;
	return thread_wake(&lock->__readers_woken, INT_MAX) > 0;
}

static bool wake_writer(pthread_rwlock_t *lock)
{
	lock->__writers_woken++;
	return thread_wake(&lock->__writers_woken, 1) > 0;
}

/* Passes on a lock that has become free. The lock may be destroyed once a thread is woken, or if none waits. */
static void pass_on(pthread_rwlock_t *lock)
{
	bool readers = lock->__readers_wait, writers = lock->__writers_wait;
	bool writer_first = writers && (prefers_writers(lock) || !readers);
	if (writer_first && wake_writer(lock))
		return;
	if (readers && wake_readers(lock))
		return;
	if (writers && !writer_first)
		wake_writer(lock);
}

static int read_lock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline)
{
	thread_point(SCHED_OP_pthread_rwlock_rdlock, lock);
	int error = deadline_check(clock, deadline);
	if (error)
		return error;
	if (is_writer(lock))
		return EDEADLK;
	while (!can_read(lock)) {
		lock->__readers_wait++;
		error = thread_wait(&lock->__readers_woken, lock->__readers_woken, clock, deadline,
		                    THREAD_WAIT_rwlock_read, lock, &lock->__holder, false);
		lock->__readers_wait--;
		if (error == ETIMEDOUT)
			return error;
	}
	return take_to_read(lock);
}

static int write_lock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline)
{
	thread_point(SCHED_OP_pthread_rwlock_wrlock, lock);
	int error = deadline_check(clock, deadline);
	if (error)
		return error;
	if (is_writer(lock))
		return EDEADLK;
	while (!is_unlocked(lock)) {
		lock->__writers_wait++;
		error = thread_wait(&lock->__writers_woken, lock->__writers_woken, clock, deadline,
		                    THREAD_WAIT_rwlock_write, lock, &lock->__holder, false);
		lock->__writers_wait--;
		if (error != ETIMEDOUT)
			continue;
		if (lock->__readers_wait && can_read(lock)) /* these readers waited only for this writer */
			wake_readers(lock);
		return error;
	}
	return take_to_write(lock);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	return read_lock(lock, CLOCK_REALTIME, NULL);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *deadline)
{
	return read_lock(lock, CLOCK_REALTIME, deadline);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline)
{
	return read_lock(lock, clock, deadline);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
	thread_point(SCHED_OP_pthread_rwlock_rdlock, lock);
	return can_read(lock) ? take_to_read(lock) : EBUSY;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	return write_lock(lock, CLOCK_REALTIME, NULL);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *deadline)
{
	return write_lock(lock, CLOCK_REALTIME, deadline);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline)
{
	return write_lock(lock, clock, deadline);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
	thread_point(SCHED_OP_pthread_rwlock_wrlock, lock);
	return is_unlocked(lock) ? take_to_write(lock) : EBUSY;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	thread_point(SCHED_OP_pthread_rwlock_unlock, lock);
	if (is_writer(lock))
		lock->__writes = 0;
	else if (lock->__readers)
		lock->__readers--;
	else
		return EPERM;
	if (!lock->__readers || lock->__holder == thread_self()->tid)
		lock->__holder = 0; /* the remaining readers are not known */
	if (!lock->__readers)
		pass_on(lock);
	return 0;
}

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
	*lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
	if (attributes)
		lock->__kind = attributes->__kind;
	return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
	return is_unlocked(lock) ? 0 : EBUSY;
}

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes)
{
	*attributes = (pthread_rwlockattr_t){.__kind = PTHREAD_RWLOCK_DEFAULT_NP};
	return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *)
{
	return 0;
}

ATTR_GET(pthread_rwlockattr_getpshared, pthread_rwlockattr_t, int, __shared)
ATTR_SET(pthread_rwlockattr_setpshared, pthread_rwlockattr_t, __shared, PTHREAD_PROCESS_PRIVATE, PTHREAD_PROCESS_SHARED)
ATTR_GET(pthread_rwlockattr_getkind_np, pthread_rwlockattr_t, int, __kind)
ATTR_SET(pthread_rwlockattr_setkind_np, pthread_rwlockattr_t, __kind, PTHREAD_RWLOCK_PREFER_READER_NP,
         PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
