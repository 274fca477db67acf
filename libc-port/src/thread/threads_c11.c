/* SPDX-License-Identifier: MIT */
/* C11's threads.h, by POSIX threads. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <threads.h>
#include <time.h>

static int result(int error)
{
	switch (error) {
	case 0:
		return thrd_success;
	case EBUSY:
		return thrd_busy;
	case ENOMEM:
		return thrd_nomem;
	case ETIMEDOUT:
		return thrd_timedout;
	default:
		return thrd_error;
	}
}

/* Defines a function that is one of POSIX with another result. */
#define C11_FUNCTION(function, posix) \
	int function \
	{ \
		return result(posix); \
	}

/* The function returns an int in the lower half of the register that returns a pointer, so it can be called as one that
 * returns a pointer. thrd_join uses only that half. */
int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
	void *(*entry)(void *) = (void *(*)(void *))(void (*)(void))function;
	return result(pthread_create(thread, NULL, entry, argument));
}

thrd_t thrd_current(void)
{
	return pthread_self();
}

C11_FUNCTION(thrd_detach(thrd_t thread), pthread_detach(thread))

int thrd_equal(thrd_t one, thrd_t other)
{
	return pthread_equal(one, other);
}

_Noreturn void thrd_exit(int value)
{
	pthread_exit((void *)(intptr_t)value);
}

int thrd_join(thrd_t thread, int *value)
{
	void *pointer;
	int error = pthread_join(thread, &pointer);
	if (!error && value)
		*value = (int)(intptr_t)pointer;
	return result(error);
}

int thrd_sleep(const struct timespec *duration, struct timespec *remaining)
{
	int error = clock_nanosleep(CLOCK_REALTIME, 0, duration, remaining);
	return error == EINTR ? -1 : error ? -2 : 0;
}

void thrd_yield(void)
{
	sched_yield();
}

int mtx_init(mtx_t *mutex, int type)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
	return result(pthread_mutex_init(mutex, &attributes));
}

void mtx_destroy(mtx_t *mutex)
{
	pthread_mutex_destroy(mutex);
}

C11_FUNCTION(mtx_lock(mtx_t *mutex), pthread_mutex_lock(mutex))
C11_FUNCTION(mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict deadline),
             pthread_mutex_timedlock(mutex, deadline))
C11_FUNCTION(mtx_trylock(mtx_t *mutex), pthread_mutex_trylock(mutex))
C11_FUNCTION(mtx_unlock(mtx_t *mutex), pthread_mutex_unlock(mutex))
C11_FUNCTION(cnd_init(cnd_t *condition), pthread_cond_init(condition, NULL))

void cnd_destroy(cnd_t *condition)
{
	pthread_cond_destroy(condition);
}

C11_FUNCTION(cnd_wait(cnd_t *condition, mtx_t *mutex), pthread_cond_wait(condition, mutex))
C11_FUNCTION(cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict deadline),
             pthread_cond_timedwait(condition, mutex, deadline))
C11_FUNCTION(cnd_signal(cnd_t *condition), pthread_cond_signal(condition))
C11_FUNCTION(cnd_broadcast(cnd_t *condition), pthread_cond_broadcast(condition))
C11_FUNCTION(tss_create(tss_t *key, tss_dtor_t destructor), pthread_key_create(key, destructor))

void tss_delete(tss_t key)
{
	pthread_key_delete(key);
}

void *tss_get(tss_t key)
{
	return pthread_getspecific(key);
}

C11_FUNCTION(tss_set(tss_t key, void *value), pthread_setspecific(key, value))

void call_once(once_flag *flag, void (*function)(void))
{
	pthread_once(flag, function);
}
