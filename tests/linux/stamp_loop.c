/* SPDX-License-Identifier: MIT */
/* A loop that only reads the time stamp is a wait: other threads run, sleeps, timers and the loop's own deadline come.
 * Reads between other calls stay cheap. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>
#include <x86intrin.h>

#define THREADS 4
#define ROUNDS 50

static volatile int go;
static volatile int rounds[THREADS];

static void *set_at_once(void *argument)
{
	go = 1;
	return argument;
}

static void *set_later(void *argument)
{
	usleep(20000);
	go = 1;
	return argument;
}

static void await(const char *name, void *(*set)(void *), int how)
{
	pthread_t thread;
	unsigned processor;
	go = 0;
	pthread_create(&thread, NULL, set, NULL);
	if (how == 0)
		while (!go)
			__rdtsc();
	else if (how == 1)
		while (!go)
			__rdtscp(&processor);
	else
		for (uint64_t start = __rdtsc(); !go && __rdtsc() - start < 60000000000;)
			;
	printf("%s, form %d: %d\n", name, how, go);
	pthread_join(thread, NULL);
}

static void on_alarm(int sig)
{
	go = sig;
}

/* Each thread waits until the one before it has had its turn. */
static void *take_turns(void *argument)
{
	const long i = (long)argument;
	for (int k = 0; k < ROUNDS; k++) {
		while (rounds[(i + THREADS - 1) % THREADS] < k + (i ? 1 : 0))
			__rdtsc();
		rounds[i]++;
	}
	return argument;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int how = 0; how < 3; how++) {
		await("a thread that is ready", set_at_once, how);
		await("a thread that sleeps", set_later, how);
	}
	const struct itimerval value = {{0, 0}, {0, 20000}};
	signal(SIGALRM, on_alarm);
	go = 0;
	setitimer(ITIMER_REAL, &value, NULL);
	while (!go)
		__rdtsc();
	printf("a timer: signal %d\n", go);
	for (uint64_t start = __rdtsc(); __rdtsc() - start < 300000000;)
		;
	puts("a deadline");
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, take_turns, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("turns: %d\n", rounds[THREADS - 1]);
	uint64_t start = __rdtsc();
	for (int i = 0; i < 1000; i++) {
		getppid();
		__rdtsc();
	}
	printf("a thousand reads between calls: %s\n", __rdtsc() - start < 30000000 ? "cheap" : "dear");
	return 0;
}
