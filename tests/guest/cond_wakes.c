/* SPDX-License-Identifier: MIT */
/* Who is woken: one for each signal, all by a broadcast, and nobody by one that came before. */
#include <pthread.h>
#include <sched.h>

#include "sync.h"

#define THREADS 40
#define ROUNDS 50

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER, ready = PTHREAD_COND_INITIALIZER;
static int waiting, tickets, out, turn;

static void *wait_for_ticket(void *unused)
{
	pthread_mutex_lock(&mutex);
	if (++waiting == THREADS)
		pthread_cond_signal(&ready);
	while (!tickets)
		pthread_cond_wait(&cond, &mutex);
	tickets--;
	out++;
	pthread_cond_signal(&ready);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void begin(pthread_t threads[THREADS])
{
	waiting = tickets = out = 0;
	for (int i = 0; i < THREADS; i++)
		start(&threads[i], wait_for_ticket, NULL);
	pthread_mutex_lock(&mutex);
	while (waiting < THREADS)
		pthread_cond_wait(&ready, &mutex);
}

static void end(pthread_t threads[THREADS])
{
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%d out, %d tickets left\n", out, tickets);
}

/* So many tickets are handed out, with a signal each: so many get out. */
static void check_signals(void)
{
	pthread_t threads[THREADS];
	begin(threads);
	for (int given = 0; given < THREADS; given += 8) {
		for (int i = 0; i < 8; i++) {
			tickets++;
			pthread_cond_signal(&cond);
		}
		while (out < given + 8)
			pthread_cond_wait(&ready, &mutex);
		printf("%d out\n", out);
	}
	end(threads);
}

static void check_broadcast(void)
{
	pthread_t threads[THREADS];
	begin(threads);
	tickets = THREADS;
	pthread_cond_broadcast(&cond);
	end(threads);
}

static void *take_turns(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		while (turn % 3 != (int)(long)number)
			pthread_cond_wait(&cond, &mutex);
		turn++;
		pthread_cond_broadcast(&cond);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* What came before counts for nobody. */
static void check_no_memory(void)
{
	struct timespec soon = after_ms(CLOCK_REALTIME, 3);
	SAY_ERROR(pthread_cond_signal(&cond));
	SAY_ERROR(pthread_cond_broadcast(&cond));
	pthread_mutex_lock(&mutex);
	int error = 0;
	while (!error)
		error = pthread_cond_timedwait(&cond, &mutex, &soon);
	pthread_mutex_unlock(&mutex);
	say_error("after the signal", error);
}

/* A condition variable may be destroyed as soon as all have been woken. */
static void *wait_in_frame(void *argument)
{
	struct frame {
		pthread_cond_t cond;
		int in, go;
	} *frame = argument;
	pthread_mutex_lock(&mutex);
	frame->in++;
	pthread_cond_signal(&ready);
	while (!frame->go)
		pthread_cond_wait(&frame->cond, &mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void check_destroy(void)
{
	struct frame {
		pthread_cond_t cond;
		int in, go;
	} *frame = calloc(1, sizeof(*frame));
	pthread_t threads[5];
	SAY_ERROR(pthread_cond_init(&frame->cond, NULL));
	for (int i = 0; i < 5; i++)
		start(&threads[i], wait_in_frame, frame);
	pthread_mutex_lock(&mutex);
	while (frame->in < 5)
		pthread_cond_wait(&ready, &mutex);
	frame->go = 1;
	pthread_cond_broadcast(&frame->cond);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 5; i++)
		pthread_join(threads[i], NULL);
	SAY_ERROR(pthread_cond_destroy(&frame->cond));
	free(frame);
}

int main(void)
{
	check_signals();
	check_broadcast();
	in_threads(3, take_turns);
	printf("turn %d\n", turn);
	check_no_memory();
	check_destroy();
	return 0;
}
