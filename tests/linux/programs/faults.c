/* SPDX-License-Identifier: MIT */
/* Faults, one for each name that it is given, which sanitizers find. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int one = 1;
static int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *locked)
{
	for (int i = 0; i < 100; i++) {
		if (locked)
			pthread_mutex_lock(&mutex);
		shared++;
		if (locked)
			pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void count_in_threads(void *locked)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, count, locked);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

__attribute__((noinline)) static void write_behind(volatile char *memory, int bytes)
{
	memory[bytes * one] = 1;
}

/* Holds what nobody else knows of, and waits to be let go. */
static void *hold(void *barrier)
{
	char *volatile memory = malloc(2000);
	pthread_barrier_wait(barrier);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	free(memory);
	return NULL;
}

/* Loses a hundred bytes, and ends while others hold more. */
static void lose(void)
{
	static pthread_barrier_t barrier;
	pthread_t thread;
	char *volatile lost = malloc(100);
	lost = NULL;
	pthread_mutex_lock(&mutex);
	pthread_barrier_init(&barrier, NULL, 4);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, hold, &barrier);
	pthread_barrier_wait(&barrier);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "good";
	char *volatile memory = malloc(10);
	int status = 0;
	if (!strcmp(what, "heap"))
		write_behind(memory, 10);
	if (!strcmp(what, "stack")) {
		char local[10];
		write_behind(local, 10);
	}
	if (!strcmp(what, "freed")) {
		free(memory);
		memory[0] = 1;
	}
	if (!strcmp(what, "child")) {
		if (!fork()) {
			write_behind(memory, 10);
			_exit(0);
		}
		wait(&status);
		return WEXITSTATUS(status);
	}
	if (!strcmp(what, "overflow"))
		status = INT_MAX + one;
	if (!strcmp(what, "race") || !strcmp(what, "locked"))
		count_in_threads(!strcmp(what, "locked") ? &mutex : NULL);
	if (!strcmp(what, "leak"))
		lose();
	free(memory);
	printf("all is well\n");
	return status == 1;
}
