/* SPDX-License-Identifier: MIT */
/* Numbers of threads and addresses of their stacks: the same in every run, whatever the schedule. */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <unistd.h>

#include "say.h"

#define THREADS 5
#define ROUNDS 3

static struct {
	pid_t tid;
	uintptr_t stack;
} seen[THREADS];
static sem_t gate;

static void *look(void *number)
{
	int here, self = (int)(intptr_t)number;
	while (sem_wait(&gate))
		;
	seen[self].tid = gettid();
	seen[self].stack = (uintptr_t)&here;
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	uintptr_t first = 0;
	sem_init(&gate, 0, 0);
	printf("main %d\n", gettid());
	for (int round = 0; round < ROUNDS; round++) {
		for (intptr_t i = 0; i < THREADS; i++)
			pthread_create(&threads[i], NULL, look, (void *)i);
		for (int i = 0; i < THREADS; i++)
			sem_post(&gate);
		for (int i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
		first = first ? first : seen[0].stack;
		for (int i = 0; i < THREADS; i++)
			printf("thread %d, stack %+ld KiB\n", seen[i].tid, (long)(seen[i].stack - first) / 1024);
	}
	printf("the first stack is in page %#lx\n", (unsigned long)first >> 12);
	return 0;
}
