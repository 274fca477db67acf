/* SPDX-License-Identifier: MIT
 * eremite-options: --memory 64M
 * arguments when repeated: 500
 */
/* Stacks that are too small or too large, and those that lie about when their threads have ended: they are not in the
 * way of what else needs memory. */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

#define AROUND (1UL << 20)
#define THREADS 1000

static _Thread_local volatile char large[100000];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *argument)
{
	large[0] = large[sizeof(large) - 1] = 1;
	return argument;
}

static void *pass(void *argument)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	return argument;
}

/* The program's own stack, with less than the thread-local variables take. */
static void given(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	unsigned char *memory = mmap(NULL, AROUND, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t changed = 0;
	memset(memory, 0xaa, AROUND);
	pthread_attr_init(&attr);
	SAY_ERROR(pthread_attr_setstack(&attr, memory + AROUND / 2, 65536));
	SAY_ERROR(pthread_create(&thread, &attr, run, NULL));
	for (size_t i = 0; i < AROUND; i++)
		changed += memory[i] != 0xaa;
	SAY_TRUE(changed == 0);
	SAY_ERROR(pthread_attr_setstack(&attr, memory, AROUND));
	SAY_ERROR(pthread_create(&thread, &attr, run, NULL));
	SAY_ERROR(pthread_join(thread, NULL));
}

static void sizes(size_t stack, size_t guard)
{
	pthread_attr_t attr;
	pthread_t thread;
	printf("stack %#zx, guard %#zx\n", stack, guard);
	pthread_attr_init(&attr);
	SAY_ERROR(pthread_attr_setstacksize(&attr, stack));
	SAY_ERROR(pthread_attr_setguardsize(&attr, guard));
	SAY_ERROR(pthread_create(&thread, &attr, run, NULL));
}

/* Memory is used up by threads, all of which end then. */
static int use_up(bool detached)
{
	static pthread_t threads[THREADS];
	pthread_attr_t attr;
	int count = 0;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
	pthread_mutex_lock(&gate);
	while (count < THREADS && !pthread_create(&threads[count], &attr, pass, NULL))
		count++;
	pthread_mutex_unlock(&gate);
	for (int i = 0; i < count && !detached; i++)
		pthread_join(threads[i], NULL);
	sleep(2); /* more than a ready thread can be late by (docs/scheduling.md, `delay`): the threads have ended */
	return count;
}

/* What the kernel has memory for. */
static void others(void)
{
	static char bytes[65536];
	static const char name[] = "/tmp/eremite-thread-stacks";
	int ends[2], written = 0;
	timer_t timer;
	SAY_OK(pipe(ends));
	SAY_TRUE(write(ends[1], bytes, sizeof(bytes)) == sizeof(bytes));
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	while (written < 200 && write(fd, bytes, sizeof(bytes)) == sizeof(bytes))
		written++;
	SAY_TRUE(written == 200);
	SAY_OK(unlink(name));
	SAY_OK(close(fd));
	SAY_OK(timer_create(CLOCK_MONOTONIC, NULL, &timer));
	SAY_OK(timer_delete(timer));
	close(ends[0]);
	close(ends[1]);
}

static void one_by_one(int threads)
{
	pthread_t thread;
	int made = 0;
	while (made < threads && !pthread_create(&thread, NULL, pass, NULL) && !pthread_join(thread, NULL))
		made++;
	SAY_TRUE(made == threads);
}

int main(int argc, char **argv)
{
	given();
	sizes(SIZE_MAX, 4096);
	sizes(SIZE_MAX - 4095, 4096);
	sizes(SIZE_MAX - 16384, 4096);
	sizes(SIZE_MAX - 70000, 4096);
	sizes(1UL << 63, 4096);
	sizes(1UL << 47, 4096);
	sizes(1UL << 20, SIZE_MAX);
	sizes(1UL << 20, SIZE_MAX - 4096);
	sizes(1UL << 20, 1UL << 62);
	for (int detached = 0; detached < 2; detached++) {
		SAY_TRUE(use_up(detached) > 50);
		others();
	}
	one_by_one(argc > 1 ? atoi(argv[1]) : 20000);
	return 0;
}
