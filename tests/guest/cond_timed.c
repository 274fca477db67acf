/* SPDX-License-Identifier: MIT */
/* Waiting for a condition with a deadline: clocks, attributes, errors; the mutex is locked again in every case. */
#include <pthread.h>

#include "sync.h"

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int done;

static void *signal_it(void *unused)
{
	pthread_mutex_lock(&mutex);
	done = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void check_attributes(void)
{
	pthread_condattr_t attributes;
	clockid_t clock;
	int shared;
	SAY_ERROR(pthread_condattr_init(&attributes));
	SAY_ERROR(pthread_condattr_getclock(&attributes, &clock));
	SAY_ERROR(pthread_condattr_getpshared(&attributes, &shared));
	printf("clock %d, shared %d\n", (int)clock, shared);
	SAY_ERROR(pthread_condattr_setclock(&attributes, CLOCK_PROCESS_CPUTIME_ID));
	SAY_ERROR(pthread_condattr_setclock(&attributes, 77));
	SAY_ERROR(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC));
	SAY_ERROR(pthread_condattr_getclock(&attributes, &clock));
	SAY_ERROR(pthread_condattr_setpshared(&attributes, 2));
	SAY_ERROR(pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED));
	SAY_ERROR(pthread_condattr_getpshared(&attributes, &shared));
	printf("clock %d, shared %d\n", (int)clock, shared);
	SAY_ERROR(pthread_cond_init(&cond, &attributes));
	SAY_ERROR(pthread_condattr_destroy(&attributes));
}

static void check_clock(clockid_t clock)
{
	struct timespec soon = after_ms(clock, 5), past = after_ms(clock, -5000), wrong = soon;
	int error = 0;
	while (!error)
		error = pthread_cond_clockwait(&cond, &mutex, clock, &soon);
	say_error("soon", error);
	SAY_TRUE(has_passed(clock, soon));
	SAY_ERROR(pthread_cond_clockwait(&cond, &mutex, clock, &past));
	SAY_ERROR(pthread_mutex_lock(&mutex));
	wrong.tv_nsec = 1000000000;
	SAY_ERROR(pthread_cond_clockwait(&cond, &mutex, clock, &wrong));
	wrong.tv_nsec = -1;
	SAY_ERROR(pthread_cond_clockwait(&cond, &mutex, clock, &wrong));
	SAY_ERROR(pthread_mutex_lock(&mutex));
}

static void check_timedwait(clockid_t clock)
{
	struct timespec soon = after_ms(clock, 5), late = after_ms(clock, 1000000), wrong = {0, 1000000000};
	pthread_t thread;
	int error = 0;
	while (!error)
		error = pthread_cond_timedwait(&cond, &mutex, &soon);
	say_error("timedwait", error);
	SAY_TRUE(has_passed(clock, soon));
	SAY_ERROR(pthread_cond_timedwait(&cond, &mutex, &wrong));
	done = 0;
	start(&thread, signal_it, NULL);
	error = 0;
	while (!done && !error)
		error = pthread_cond_timedwait(&cond, &mutex, &late);
	say_error("signalled", error);
	SAY_TRUE(has_passed(clock, late));
	SAY_ERROR(pthread_mutex_lock(&mutex));
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	pthread_mutex_lock(&mutex);
}

/* Who waits for another in a loop, with a deadline that has passed, lets it have the mutex. */
static void check_past(const char *name, struct timespec past)
{
	pthread_t thread;
	int error = ETIMEDOUT;
	done = 0;
	start(&thread, signal_it, NULL);
	while (!done && error == ETIMEDOUT)
		error = pthread_cond_timedwait(&cond, &mutex, &past);
	say_error(name, error == ETIMEDOUT ? 0 : error); /* the signal may come in time all the same */
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	pthread_mutex_lock(&mutex);
	SAY_ERROR(pthread_cond_timedwait(&cond, &mutex, &past));
	SAY_ERROR(pthread_mutex_lock(&mutex));
}

int main(void)
{
	struct timespec late = after_ms(CLOCK_REALTIME, 1000000), never = {-1, 0};
	SAY_ERROR(pthread_cond_wait(&cond, &mutex));
	SAY_ERROR(pthread_cond_timedwait(&cond, &mutex, &late));
	SAY_ERROR(pthread_cond_timedwait(&cond, &mutex, &never));
	pthread_mutex_lock(&mutex);
	check_timedwait(CLOCK_REALTIME);
	check_past("just now", after_ms(CLOCK_REALTIME, 0));
	check_past("1970", (struct timespec){0, 0});
	check_past("before 1970", never);
	check_clock(CLOCK_REALTIME);
	check_clock(CLOCK_MONOTONIC);
	SAY_ERROR(pthread_cond_clockwait(&cond, &mutex, CLOCK_PROCESS_CPUTIME_ID, &late));
	SAY_ERROR(pthread_cond_clockwait(&cond, &mutex, 77, &late));
	SAY_ERROR(pthread_cond_destroy(&cond));
	check_attributes();
	check_timedwait(CLOCK_MONOTONIC);
	return 0;
}
