/* SPDX-License-Identifier: MIT */
/* Signal handlers that run while a thread waits: but for semaphores, which say EINTR unless SA_RESTART is set, it goes
 * on waiting. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>

#include "sync.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t begun, handled;
static int ready;

static void on_signal(int sig)
{
	(void)sig;
	sem_post(&handled);
}

static void down(sem_t *sem)
{
	while (sem_wait(sem))
		MUST(errno == EINTR);
}

static int wait_mutex(void)
{
	int error = pthread_mutex_lock(&mutex);
	return error ? error : pthread_mutex_unlock(&mutex);
}

static int wait_mutex_timed(void)
{
	struct timespec late = after_ms(CLOCK_MONOTONIC, 1000000);
	int error = pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &late);
	return error ? error : pthread_mutex_unlock(&mutex);
}

static int wait_cond(void)
{
	int error = pthread_mutex_lock(&mutex);
	while (!error && !ready)
		error = pthread_cond_wait(&cond, &mutex);
	return error ? error : pthread_mutex_unlock(&mutex);
}

static int wait_cond_timed(void)
{
	struct timespec late = after_ms(CLOCK_REALTIME, 1000000);
	int error = pthread_mutex_lock(&mutex);
	while (!error && !ready)
		error = pthread_cond_timedwait(&cond, &mutex, &late);
	return error ? error : pthread_mutex_unlock(&mutex);
}

static int wait_read(void)
{
	int error = pthread_rwlock_rdlock(&lock);
	return error ? error : pthread_rwlock_unlock(&lock);
}

static int wait_write(void)
{
	int error = pthread_rwlock_wrlock(&lock);
	return error ? error : pthread_rwlock_unlock(&lock);
}

static int wait_spin(void)
{
	int error = pthread_spin_lock(&spin);
	return error ? error : pthread_spin_unlock(&spin);
}

static int wait_barrier(void)
{
	int result = pthread_barrier_wait(&barrier);
	return result == PTHREAD_BARRIER_SERIAL_THREAD ? 0 : result;
}

static int (*waiting)(void);

static void *wait_there(void *unused)
{
	(void)unused;
	sem_post(&begun);
	return (void *)(long)waiting();
}

static void hold(void)
{
	ready = 0;
	pthread_mutex_lock(&mutex);
	pthread_rwlock_wrlock(&lock);
	pthread_spin_lock(&spin);
}

static void release(void)
{
	ready = 1;
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&mutex);
	pthread_rwlock_unlock(&lock);
	pthread_spin_unlock(&spin);
	if (waiting == wait_barrier)
		pthread_barrier_wait(&barrier);
}

/* Threads that wait for the condition need the mutex first. */
static void check(const char *name, int (*function)(void))
{
	pthread_t threads[2];
	void *result;
	int count = function == wait_barrier ? 1 : 2,
	    conditional = function == wait_cond || function == wait_cond_timed;
	waiting = function;
	hold();
	for (int i = 0; i < count; i++) {
		start(&threads[i], wait_there, NULL);
		down(&begun);
	}
	for (int round = 0; round < 5; round++)
		for (int i = 0; i < count; i++) {
			if (conditional)
				pthread_mutex_unlock(&mutex);
			MUST(pthread_kill(threads[i], SIGUSR1) == 0);
			down(&handled);
			if (conditional)
				pthread_mutex_lock(&mutex);
		}
	release();
	for (int i = 0; i < count; i++) {
		pthread_join(threads[i], &result);
		say_error(name, (int)(long)result);
	}
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	sem_init(&begun, 0, 0);
	sem_init(&handled, 0, 0);
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_barrier_init(&barrier, NULL, 2);
	for (int restart = 0; restart < 2; restart++) {
		action.sa_flags = restart ? SA_RESTART : 0;
		MUST(sigaction(SIGUSR1, &action, NULL) == 0);
		check("mutex", wait_mutex);
		check("mutex, timed", wait_mutex_timed);
		check("condition", wait_cond);
		check("condition, timed", wait_cond_timed);
		check("to read", wait_read);
		check("to write", wait_write);
		check("spin lock", wait_spin);
		check("barrier", wait_barrier);
	}
	return 0;
}
