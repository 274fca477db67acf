/* SPDX-License-Identifier: MIT */
/* eremite-options: --memory 2G */
/* arguments when repeated: 300 1000 */
/* Many signals for a process of ten thousand threads, each of which could take them, when more than a table of threads
 * has room for have been before. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "say.h"

#define MANY 10000
#define BEFORE 33000
#define SIGNALS 100

static pthread_t threads[MANY];
static sem_t go_on[MANY];
static volatile sig_atomic_t handled;
static int here;

static void handler(int sig)
{
	(void)sig;
	handled++;
}

static void *wait_to_go_on(void *own)
{
	__atomic_fetch_add(&here, 1, __ATOMIC_RELAXED);
	while (sem_wait(own))
		;
	return NULL;
}

static void *end_at_once(void *unused)
{
	return unused;
}

int main(int argc, char **argv)
{
	const int many = argc > 1 ? atoi(argv[1]) : MANY, before = argc > 2 ? atoi(argv[2]) : BEFORE;
	pthread_attr_t attr;
	int made = 0;
	signal(SIGUSR1, handler);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	for (int i = 0; i < before; i++)
		if (pthread_create(&threads[0], &attr, end_at_once, NULL) || pthread_join(threads[0], NULL))
			return 1;
	for (int i = 0; i < many; i++) {
		sem_init(&go_on[i], 0, 0);
		made += pthread_create(&threads[i], &attr, wait_to_go_on, &go_on[i]) == 0;
	}
	while (*(volatile int *)&here < made)
		sched_yield();
	for (int i = 0; i < SIGNALS; i++)
		kill(getpid(), SIGUSR1);
	for (int i = 0; i < made; i++) {
		sem_post(&go_on[i]);
		pthread_join(threads[i], NULL);
	}
	printf("%d threads, %d signals handled\n", made, (int)handled);
	return 0;
}
