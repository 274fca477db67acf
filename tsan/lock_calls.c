/* SPDX-License-Identifier: MIT */
/* Locks and what else threads wait at. The object's address is where they release and acquire; of a lock for readers
 * and writers, what readers release is at the next address. */
#include <errno.h>
#include <semaphore.h>
#include <threads.h>

#include "next.h"

#define COND "GLIBC_2.3.2" /* older functions have another type */

static inline int held(const volatile void *object, int error)
{
	if (!error || error == EOWNERDEAD)
		acquire_object(object);
	return error;
}

/* --- mutexes --- */

NEXT(pthread_mutex_init, NULL)
NEXT(pthread_mutex_destroy, NULL)
NEXT(pthread_mutex_lock, NULL)
NEXT(pthread_mutex_trylock, NULL)
NEXT(pthread_mutex_timedlock, NULL)
NEXT(pthread_mutex_clocklock, NULL)
NEXT(pthread_mutex_unlock, NULL)

/* A lock is used by atomic operations, but made and destroyed by plain stores: a use that is unordered with these is a
 * race. */
EXPORT int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	access_for(mutex, 1, ACCESS_WRITE, CALLER);
	return next_pthread_mutex_init()(mutex, attributes);
}

EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	access_for(mutex, 1, ACCESS_WRITE, CALLER);
	return next_pthread_mutex_destroy()(mutex);
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	access_for(mutex, 1, ACCESS_ATOMIC, CALLER);
	return held(mutex, next_pthread_mutex_lock()(mutex));
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	access_for(mutex, 1, ACCESS_ATOMIC, CALLER);
	return held(mutex, next_pthread_mutex_trylock()(mutex));
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time)
{
	access_for(mutex, 1, ACCESS_ATOMIC, CALLER);
	return held(mutex, next_pthread_mutex_timedlock()(mutex, time));
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time)
{
	access_for(mutex, 1, ACCESS_ATOMIC, CALLER);
	return held(mutex, next_pthread_mutex_clocklock()(mutex, clock, time));
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	access_for(mutex, 1, ACCESS_ATOMIC, CALLER);
	release_object(mutex);
	return next_pthread_mutex_unlock()(mutex);
}

/* glibc's mtx_t is a mutex. */
EXPORT int mtx_lock(mtx_t *mutex)
{
	return pthread_mutex_lock((pthread_mutex_t *)mutex) ? thrd_error : thrd_success;
}

static int c11_result(int error)
{
	return !error ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

EXPORT int mtx_trylock(mtx_t *mutex)
{
	return c11_result(pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

EXPORT int mtx_timedlock(mtx_t *mutex, const struct timespec *time)
{
	return c11_result(pthread_mutex_timedlock((pthread_mutex_t *)mutex, time));
}

EXPORT int mtx_unlock(mtx_t *mutex)
{
	return pthread_mutex_unlock((pthread_mutex_t *)mutex) ? thrd_error : thrd_success;
}

/* --- conditions --- */

NEXT(pthread_cond_init, COND)
NEXT(pthread_cond_destroy, COND)
NEXT(pthread_cond_signal, COND)
NEXT(pthread_cond_broadcast, COND)
NEXT(pthread_cond_wait, COND)
NEXT(pthread_cond_timedwait, COND)
NEXT(pthread_cond_clockwait, NULL)

EXPORT int pthread_cond_init(pthread_cond_t *restrict condition, const pthread_condattr_t *restrict attributes)
{
	access_for(condition, 1, ACCESS_WRITE, CALLER);
	return next_pthread_cond_init()(condition, attributes);
}

EXPORT int pthread_cond_destroy(pthread_cond_t *condition)
{
	access_for(condition, 1, ACCESS_WRITE, CALLER);
	return next_pthread_cond_destroy()(condition);
}

EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
	access_for(condition, 1, ACCESS_ATOMIC, CALLER);
	return next_pthread_cond_signal()(condition);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *condition)
{
	access_for(condition, 1, ACCESS_ATOMIC, CALLER);
	return next_pthread_cond_broadcast()(condition);
}

/* The mutex is held again when the wait has ended, also when the thread is cancelled in it. */
static void hold_again(void *mutex)
{
	acquire_object(mutex);
}

#define WAIT(mutex, call) \
	int result; \
	release_object(mutex); \
	pthread_cleanup_push(hold_again, mutex); \
	result = call; \
	pthread_cleanup_pop(1); \
	return result

EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	WAIT(mutex, next_pthread_cond_wait()(condition, mutex));
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time)
{
	WAIT(mutex, next_pthread_cond_timedwait()(condition, mutex, time));
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                  const struct timespec *time)
{
	WAIT(mutex, next_pthread_cond_clockwait()(condition, mutex, clock, time));
}

EXPORT int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
	return c11_result(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

EXPORT int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *time)
{
	return c11_result(pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, time));
}

/* --- locks for readers and writers --- */

NEXT(pthread_rwlock_rdlock, NULL)
NEXT(pthread_rwlock_tryrdlock, NULL)
NEXT(pthread_rwlock_timedrdlock, NULL)
NEXT(pthread_rwlock_clockrdlock, NULL)
NEXT(pthread_rwlock_wrlock, NULL)
NEXT(pthread_rwlock_trywrlock, NULL)
NEXT(pthread_rwlock_timedwrlock, NULL)
NEXT(pthread_rwlock_clockwrlock, NULL)
NEXT(pthread_rwlock_unlock, NULL)

#define READERS(lock) ((const volatile char *)(lock) + 1)

static int written(const pthread_rwlock_t *lock, int error)
{
	if (!error)
		acquire_object(READERS(lock));
	return held(lock, error);
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	return held(lock, next_pthread_rwlock_rdlock()(lock));
}

EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
	return held(lock, next_pthread_rwlock_tryrdlock()(lock));
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *time)
{
	return held(lock, next_pthread_rwlock_timedrdlock()(lock, time));
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time)
{
	return held(lock, next_pthread_rwlock_clockrdlock()(lock, clock, time));
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	return written(lock, next_pthread_rwlock_wrlock()(lock));
}

EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
	return written(lock, next_pthread_rwlock_trywrlock()(lock));
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *time)
{
	return written(lock, next_pthread_rwlock_timedwrlock()(lock, time));
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time)
{
	return written(lock, next_pthread_rwlock_clockwrlock()(lock, clock, time));
}

/* glibc has the number of the writer, if there is one. */
EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	release_object(lock->__data.__cur_writer ? (const volatile void *)lock : READERS(lock));
	return next_pthread_rwlock_unlock()(lock);
}

/* --- others --- */

NEXT(pthread_barrier_init, NULL)
NEXT(pthread_barrier_destroy, NULL)
NEXT(pthread_barrier_wait, NULL)
NEXT(pthread_spin_lock, NULL)
NEXT(pthread_spin_trylock, NULL)
NEXT(pthread_spin_unlock, NULL)
NEXT(pthread_once, NULL)
NEXT(sem_wait, "GLIBC_2.34")
NEXT(sem_trywait, "GLIBC_2.34")
NEXT(sem_timedwait, "GLIBC_2.34")
NEXT(sem_clockwait, NULL)
NEXT(sem_post, "GLIBC_2.34")

EXPORT int pthread_barrier_init(pthread_barrier_t *restrict barrier, const pthread_barrierattr_t *restrict attributes,
                                unsigned int count)
{
	access_for(barrier, 1, ACCESS_WRITE, CALLER);
	return next_pthread_barrier_init()(barrier, attributes, count);
}

EXPORT int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	access_for(barrier, 1, ACCESS_WRITE, CALLER);
	return next_pthread_barrier_destroy()(barrier);
}

EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	access_for(barrier, 1, ACCESS_ATOMIC, CALLER);
	release_object(barrier);
	const int result = next_pthread_barrier_wait()(barrier);
	if (!result || result == PTHREAD_BARRIER_SERIAL_THREAD)
		acquire_object(barrier);
	return result;
}

EXPORT int pthread_spin_lock(pthread_spinlock_t *lock)
{
	return held(lock, next_pthread_spin_lock()(lock));
}

EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock)
{
	return held(lock, next_pthread_spin_trylock()(lock));
}

EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock)
{
	release_object(lock);
	return next_pthread_spin_unlock()(lock);
}

/* pthread_once calls it without an argument, in the same thread. */
static __thread struct {
	void (*run)(void);
	pthread_once_t *once;
} init __attribute__((tls_model("initial-exec")));

static void run_once(void)
{
	pthread_once_t *once = init.once;
	init.run();
	release_object(once);
}

EXPORT int pthread_once(pthread_once_t *once, void (*run)(void))
{
	init.run = run;
	init.once = once;
	return held(once, next_pthread_once()(once, run_once));
}

EXPORT void call_once(once_flag *flag, void (*run)(void))
{
	pthread_once((pthread_once_t *)flag, run);
}

EXPORT int sem_wait(sem_t *semaphore)
{
	return held(semaphore, next_sem_wait()(semaphore));
}

EXPORT int sem_trywait(sem_t *semaphore)
{
	return held(semaphore, next_sem_trywait()(semaphore));
}

EXPORT int sem_timedwait(sem_t *semaphore, const struct timespec *time)
{
	return held(semaphore, next_sem_timedwait()(semaphore, time));
}

EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time)
{
	return held(semaphore, next_sem_clockwait()(semaphore, clock, time));
}

EXPORT int sem_post(sem_t *semaphore)
{
	release_object(semaphore);
	return next_sem_post()(semaphore);
}

/* --- variables of functions in C++ --- */

EXPORT int __cxa_guard_acquire(uint64_t *guard)
{
	static int (*next)(uint64_t *);
	next = next ? next : (int (*)(uint64_t *))tsan_next("__cxa_guard_acquire", NULL);
	const int result = next(guard);
	acquire_object(guard);
	return result;
}

EXPORT void __cxa_guard_release(uint64_t *guard)
{
	static void (*next)(uint64_t *);
	next = next ? next : (void (*)(uint64_t *))tsan_next("__cxa_guard_release", NULL);
	release_object(guard);
	next(guard);
}
