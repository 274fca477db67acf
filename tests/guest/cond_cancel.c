/* SPDX-License-Identifier: MIT */
/* A thread that is cancelled while it waits for a condition: its cleanup handler has the mutex, and no signal is lost.
 */
#include <pthread.h>
#include <sched.h>

#include "sync.h"

#define WAITERS 6

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER, ready = PTHREAD_COND_INITIALIZER;
static int waiting, cleaned, tickets, served;

static void clean(void *unused)
{
	(void)unused;
	cleaned++;
	MUST(pthread_mutex_lock(&mutex) == EDEADLK); /* it is this thread's */
	MUST(pthread_mutex_unlock(&mutex) == 0);
}

static void *wait_for_ever(void *timed)
{
	struct timespec late = after_ms(CLOCK_REALTIME, 1000000);
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(clean, NULL);
	waiting++;
	pthread_cond_signal(&ready);
	for (;;)
		if (timed)
			pthread_cond_timedwait(&cond, &mutex, &late);
		else
			pthread_cond_wait(&cond, &mutex);
	pthread_cleanup_pop(1);
	return NULL;
}

static void *wait_for_ticket(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(clean, NULL);
	waiting++;
	pthread_cond_signal(&ready);
	while (!tickets)
		pthread_cond_wait(&cond, &mutex);
	tickets--;
	served++;
	pthread_cond_signal(&ready);
	pthread_cleanup_pop(1);
	return unused;
}

static void check_cancel(void *timed)
{
	pthread_t threads[WAITERS];
	void *result;
	waiting = cleaned = 0;
	for (int i = 0; i < WAITERS; i++)
		start(&threads[i], wait_for_ever, timed);
	pthread_mutex_lock(&mutex);
	while (waiting < WAITERS)
		pthread_cond_wait(&ready, &mutex);
	for (int i = 0; i < WAITERS; i++)
		SAY_ERROR(pthread_cancel(threads[i]));
	MUST(cleaned == 0); /* none can have the mutex yet */
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < WAITERS; i++) {
		pthread_join(threads[i], &result);
		SAY_TRUE(result == PTHREAD_CANCELED);
	}
	printf("%d cleaned up\n", cleaned);
}

/* Half of those who wait are cancelled while as many tickets as the others need are signalled. */
static void check_signals(void)
{
	pthread_t threads[WAITERS];
	waiting = cleaned = tickets = served = 0;
	for (int i = 0; i < WAITERS; i++)
		start(&threads[i], wait_for_ticket, NULL);
	pthread_mutex_lock(&mutex);
	while (waiting < WAITERS)
		pthread_cond_wait(&ready, &mutex);
	for (int i = 0; i < WAITERS / 2; i++)
		pthread_cancel(threads[i]);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < WAITERS / 2; i++)
		pthread_join(threads[i], NULL);
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < WAITERS - WAITERS / 2; i++) {
		tickets++;
		pthread_cond_signal(&cond);
	}
	while (served < WAITERS - WAITERS / 2)
		pthread_cond_wait(&ready, &mutex);
	pthread_mutex_unlock(&mutex);
	for (int i = WAITERS / 2; i < WAITERS; i++)
		pthread_join(threads[i], NULL);
	printf("%d served, %d cleaned up\n", served, cleaned);
}

/* A thread that was asked before it waits never does. */
static void *ask_first(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(clean, NULL);
	pthread_cancel(pthread_self());
	pthread_cond_wait(&cond, &mutex);
	pthread_cleanup_pop(0);
	return unused;
}

int main(void)
{
	check_cancel(NULL);
	check_cancel(&mutex);
	check_signals();
	SAY_TRUE(in_thread(ask_first, NULL) == PTHREAD_CANCELED);
	printf("%d cleaned up\n", cleaned);
	SAY_ERROR(pthread_mutex_destroy(&mutex));
	return 0;
}
