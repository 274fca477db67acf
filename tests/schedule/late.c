/* SPDX-License-Identifier: MIT */
/* A thread may be slower than a sleep or a timeout: late sleep|timeout|alarm [NANOSECONDS] ends with status 1 if it
 * was. late poll polls, with sleeps, for a thread that computes. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define POLLERS 3
#define STEPS 2000
#define PREPARATIONS 5

static atomic_int ready;
static sem_t posted;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *set_ready(void *unused)
{
	ready = 1;
	sem_post(&posted);
	return unused;
}

/* Passes some decision points before. */
static void *get_ready(void *unused)
{
	for (int i = 0; i < PREPARATIONS; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	return set_ready(unused);
}

static void nap(long ns)
{
	const struct timespec span = {ns / 1000000000, ns % 1000000000};
	nanosleep(&span, NULL);
}

/* Whether the thread came too late for a sleep. */
static int after_sleep(long ns)
{
	pthread_t thread;
	pthread_create(&thread, NULL, set_ready, NULL);
	nap(ns);
	int late = !ready;
	pthread_join(thread, NULL);
	return late;
}

/* Whether the thread came too late for a timeout. */
static int after_timeout(long ns)
{
	pthread_t thread;
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += ns;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_create(&thread, NULL, get_ready, NULL);
	int late = sem_timedwait(&posted, &until) && errno == ETIMEDOUT;
	pthread_join(thread, NULL);
	return late;
}

static void *work(void *unused)
{
	for (int i = 0; i < STEPS; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	ready = 1;
	return unused;
}

static void *poll_ready(void *ns)
{
	while (!ready)
		nap((long)ns);
	return NULL;
}

static int polls(long ns)
{
	pthread_t worker, pollers[POLLERS];
	for (int i = 0; i < POLLERS; i++)
		pthread_create(&pollers[i], NULL, poll_ready, (void *)ns);
	pthread_create(&worker, NULL, work, NULL);
	pthread_join(worker, NULL);
	for (int i = 0; i < POLLERS; i++)
		pthread_join(pollers[i], NULL);
	return 0;
}

static volatile sig_atomic_t rang, rang_early;

static void on_alarm(int sig)
{
	(void)sig;
	rang = 1;
	rang_early = !ready;
}

/* Whether the thread came too late for a timer. */
static int after_alarm(long ns)
{
	pthread_t thread;
	const struct itimerval once = {.it_value = {.tv_sec = ns / 1000000000, .tv_usec = ns % 1000000000 / 1000}};
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &once, NULL);
	pthread_create(&thread, NULL, get_ready, NULL);
	pthread_join(thread, NULL);
	while (!rang)
		nap(ns);
	return rang_early;
}

int main(int argc, char **argv)
{
	long ns = argc > 2 ? atol(argv[2]) : 1000000;
	if (argc < 2)
		return 2;
	sem_init(&posted, 0, 0);
	if (!strcmp(argv[1], "sleep"))
		return after_sleep(ns);
	if (!strcmp(argv[1], "timeout"))
		return after_timeout(ns);
	if (!strcmp(argv[1], "alarm"))
		return after_alarm(ns);
	if (!strcmp(argv[1], "poll"))
		return polls(ns);
	return 2;
}
