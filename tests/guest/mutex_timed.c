/* SPDX-License-Identifier: MIT */
/* Locking with a deadline: on both clocks, in time and too late, and deadlines that are none. */
#include <pthread.h>
#include <semaphore.h>

#include "sync.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, check = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static sem_t held, enough;

static void *hold(void *unused)
{
	pthread_mutex_lock(&mutex);
	sem_post(&held);
	while (sem_wait(&enough))
		;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void check_deadlines(clockid_t clock)
{
	struct timespec soon = after_ms(clock, 5), past = after_ms(clock, -5000), wrong = soon, before = {-1, 0};
	wrong.tv_nsec = 1000000000;
	SAY_ERROR(pthread_mutex_clocklock(&mutex, clock, &soon));
	SAY_TRUE(has_passed(clock, soon));
	SAY_ERROR(pthread_mutex_clocklock(&mutex, clock, &past));
	SAY_ERROR(pthread_mutex_clocklock(&mutex, clock, &before));
	SAY_ERROR(pthread_mutex_clocklock(&mutex, clock, &wrong));
	wrong.tv_nsec = -1;
	SAY_ERROR(pthread_mutex_clocklock(&mutex, clock, &wrong));
	/* Nobody looks at the deadline of a mutex that is free. */
	SAY_ERROR(pthread_mutex_clocklock(&check, clock, &past));
	SAY_ERROR(pthread_mutex_clocklock(&check, clock, &soon));
	SAY_ERROR(pthread_mutex_unlock(&check));
	SAY_ERROR(pthread_mutex_clocklock(&check, clock, &wrong));
	SAY_ERROR(pthread_mutex_unlock(&check));
}

int main(void)
{
	pthread_t holder;
	sem_init(&held, 0, 0);
	sem_init(&enough, 0, 0);
	start(&holder, hold, NULL);
	while (sem_wait(&held))
		;
	check_deadlines(CLOCK_REALTIME);
	check_deadlines(CLOCK_MONOTONIC);
	struct timespec soon = after_ms(CLOCK_REALTIME, 5), late = after_ms(CLOCK_REALTIME, 1000000);
	SAY_ERROR(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &soon));
	SAY_ERROR(pthread_mutex_clocklock(&mutex, 77, &soon));
	SAY_ERROR(pthread_mutex_timedlock(&mutex, &soon));
	SAY_TRUE(has_passed(CLOCK_REALTIME, soon));
	sem_post(&enough);
	SAY_ERROR(pthread_mutex_timedlock(&mutex, &late));
	SAY_TRUE(has_passed(CLOCK_REALTIME, late));
	SAY_ERROR(pthread_mutex_unlock(&mutex));
	SAY_ERROR(pthread_mutex_timedlock(&check, &late));
	SAY_ERROR(pthread_mutex_timedlock(&check, &late));
	SAY_ERROR(pthread_mutex_unlock(&check));
	pthread_join(holder, NULL);
	return 0;
}
