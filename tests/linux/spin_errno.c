/* SPDX-License-Identifier: MIT */
/* Loops that store in the thread's own memory, relative to %fs, while they wait: sem_trywait and errno, with threads
 * and between processes. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t semaphore;
static _Thread_local volatile int seen;
static volatile int first, second;

static void *post(void *argument)
{
	if (argument)
		usleep(20000);
	sem_post(&semaphore);
	return NULL;
}

static void *set_second(void *argument)
{
	second = 1;
	return argument;
}

int main(void)
{
	pthread_t thread;
	sem_init(&semaphore, 0, 0);
	for (int i = 0; i < 2; i++) {
		pthread_create(&thread, NULL, post, i ? &semaphore : NULL);
		while (sem_trywait(&semaphore) && errno == EAGAIN)
			;
		pthread_join(thread, NULL);
		printf("posted %s\n", i ? "later" : "at once");
	}
	pthread_create(&thread, NULL, set_second, NULL);
	while (!first && !second)
		seen = first;
	pthread_join(thread, NULL);
	printf("first %d, second %d, seen %d\n", first, second, seen);
	sem_t *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sem_init(shared, 1, 0);
	fflush(stdout);
	if (!fork()) {
		usleep(10000);
		sem_post(shared);
		_exit(0);
	}
	while (sem_trywait(shared))
		;
	wait(NULL);
	puts("posted by another process");
	return 0;
}
