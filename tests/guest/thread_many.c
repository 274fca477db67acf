/* SPDX-License-Identifier: MIT */
/* eremite-options: --memory 2G */
/* arguments when repeated: 300 */
/* Ten thousand threads at once with small stacks, many one after another, and the limit told as EAGAIN. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "say.h"

#define MANY 10000

static pthread_t threads[MANY];
static sem_t go_on[MANY];
static int gate[2], here, many = MANY;

static void *wait_for_own(void *number)
{
	__atomic_fetch_add(&here, 1, __ATOMIC_RELAXED);
	while (sem_wait(&go_on[(intptr_t)number]))
		;
	return number;
}

static void *wait_at_gate(void *number)
{
	char byte;
	__atomic_fetch_add(&here, 1, __ATOMIC_RELAXED);
	while (read(gate[0], &byte, 1) < 0)
		;
	return number;
}

static void *return_number(void *number)
{
	return number;
}

static void at_once(size_t stack_bytes)
{
	pthread_attr_t attr;
	void *result;
	long sum = 0, made = 0;
	here = 0;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, stack_bytes);
	for (intptr_t i = 0; i < many; i++)
		made += pthread_create(&threads[i], &attr, wait_for_own, (void *)i) == 0;
	while (*(volatile int *)&here < made)
		sched_yield();
	printf("%zu bytes: %ld made, ", stack_bytes, made);
	for (int i = 0; i < made; i++)
		sem_post(&go_on[i]);
	for (int i = 0; i < made; i++) {
		pthread_join(threads[i], &result);
		sum += (intptr_t)result;
	}
	printf("sum %ld\n", sum);
	pthread_attr_destroy(&attr);
}

static void one_by_one(void)
{
	pthread_t thread;
	void *result;
	long sum = 0;
	for (intptr_t i = 0; i < many; i++) {
		if (pthread_create(&thread, NULL, return_number, (void *)i))
			abort();
		pthread_join(thread, &result);
		sum += (intptr_t)result;
	}
	printf("one by one: sum %ld\n", sum);
}

static void detached(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	int made = 0;
	here = 0;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, 32768);
	for (int i = 0; i < many; i++) {
		if (i >= 100 && write(gate[1], "x", 1) != 1)
			abort();
		made += pthread_create(&thread, &attr, wait_at_gate, NULL) == 0;
	}
	char bytes[100] = "";
	if (write(gate[1], bytes, sizeof(bytes)) != sizeof(bytes))
		abort();
	while (*(volatile int *)&here < made)
		sched_yield();
	printf("detached: %d made\n", made);
}

/* More address space than there is: where it ends, EAGAIN tells so, and what was made still works. */
static void the_limit(void)
{
	pthread_attr_t attr;
	void *result;
	int made = 0, error = 0, joined = 0;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1UL << 41);
	while (made < many && !(error = pthread_create(&threads[made], &attr, wait_at_gate, NULL)))
		made++;
	printf("the limit: %s\n", errno_name(error));
	for (int i = 0; i < made; i++)
		if (write(gate[1], "x", 1) != 1)
			abort();
	for (int i = 0; i < made; i++)
		joined += pthread_join(threads[i], &result) == 0;
	SAY_TRUE(joined == made);
	pthread_attr_destroy(&attr);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		many = atoi(argv[1]);
	if (pipe(gate) < 0)
		return 1;
	for (int i = 0; i < many; i++)
		sem_init(&go_on[i], 0, 0);
	at_once(16384);
	at_once(65536);
	one_by_one();
	detached();
	the_limit();
	return 0;
}
