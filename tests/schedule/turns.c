/* SPDX-License-Identifier: MIT */
/* Threads that wait for each other without waiting in the kernel: turns HOW THREADS. A turn goes round, ROUNDS times;
 * who has not got it looks at it again ("spin"), yields ("yield") or takes a lock to look at it ("lock"). With
 * "periodic", "timer" and "pair" one of two threads waits for the other so, while a third wakes all the time: by
 * sleeping, by a timer's notifications, by a fourth. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 5
#define THREADS_MAX 6

static atomic_int turn;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t there, back;
static int threads;

static int look_locked(void)
{
	pthread_mutex_lock(&lock);
	int seen = turn;
	pthread_mutex_unlock(&lock);
	return seen;
}

static void *spin(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		while (turn % threads != (int)(long)number)
			;
		turn++;
	}
	return NULL;
}

static void *yield(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		while (turn % threads != (int)(long)number)
			sched_yield();
		turn++;
	}
	return NULL;
}

static void *take_lock(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		while (look_locked() % threads != (int)(long)number)
			;
		turn++;
	}
	return NULL;
}

static void go_round(void *(*how)(void *))
{
	pthread_t started[THREADS_MAX];
	for (long i = 0; i < threads; i++)
		pthread_create(&started[i], NULL, how, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(started[i], NULL);
}

static void *sleep_again(void *unused)
{
	static const struct timespec brief = {.tv_nsec = 5000};
	while (!turn)
		nanosleep(&brief, NULL);
	return unused;
}

static void *wake_other(void *unused)
{
	while (!turn) {
		sem_post(&there);
		sem_wait(&back);
	}
	sem_post(&there);
	return unused;
}

static void *answer(void *unused)
{
	do {
		sem_wait(&there);
		sem_post(&back);
	} while (!turn);
	sem_post(&back); /* the other may not have seen it, and have asked once more */
	return unused;
}

static void notified(union sigval unused)
{
	(void)unused;
}

static void start_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = notified};
	const struct itimerspec each = {{0, 5000}, {0, 5000}};
	timer_t timer;
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &each, NULL))
		exit(1);
}

static void *look_until_set(void *unused)
{
	while (!look_locked())
		;
	return unused;
}

static void *set(void *unused)
{
	turn = 1;
	return unused;
}

static void hold_up(void *(*one)(void *), void *(*other)(void *))
{
	void *(*const all[])(void *) = {one, other, look_until_set, set};
	pthread_t started[4];
	for (int i = 0; i < 4; i++)
		if (all[i])
			pthread_create(&started[i], NULL, all[i], NULL);
	for (int i = 0; i < 4; i++)
		if (all[i])
			pthread_join(started[i], NULL);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	threads = argc > 2 ? atoi(argv[2]) : 0;
	if (threads > THREADS_MAX || (!threads && argc > 2))
		return 2;
	if (!strcmp(how, "periodic"))
		hold_up(sleep_again, NULL);
	else if (!strcmp(how, "pair"))
		hold_up(wake_other, answer);
	else if (!strcmp(how, "timer"))
		start_timer(), hold_up(NULL, NULL);
	else
		go_round(!strcmp(how, "spin") ? spin : !strcmp(how, "yield") ? yield : take_lock);
	printf("%d\n", (int)turn);
	return 0;
}
