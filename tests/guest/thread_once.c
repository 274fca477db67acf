/* SPDX-License-Identifier: MIT */
/* pthread_once: done once, waited for by all, and done again where the one who did it was cancelled. */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <unistd.h>

#include "say.h"

static pthread_once_t once = PTHREAD_ONCE_INIT, interrupted = PTHREAD_ONCE_INIT, outer = PTHREAD_ONCE_INIT;
static int done, attempts, gate[2];

static void slowly(void)
{
	for (int i = 0; i < 10; i++)
		sched_yield();
	done++;
}

static void *call(void *unused)
{
	(void)unused;
	pthread_once(&once, slowly);
	return (void *)(intptr_t)done;
}

static void wait_at_gate(void)
{
	char byte;
	if (attempts++ == 0)
		while (read(gate[0], &byte, 1) < 0)
			;
	done++;
}

static void *call_interrupted(void *unused)
{
	(void)unused;
	pthread_once(&interrupted, wait_at_gate);
	return (void *)(intptr_t)done;
}

static void inner(void)
{
	puts("inner");
}

static void nested(void)
{
	pthread_once_t another = PTHREAD_ONCE_INIT;
	pthread_once(&another, inner);
	pthread_once(&another, inner);
	puts("outer");
}

int main(void)
{
	pthread_t threads[10];
	void *result;
	int good = 0;
	for (int i = 0; i < 10; i++)
		pthread_create(&threads[i], NULL, call, NULL);
	for (int i = 0; i < 10; i++) {
		pthread_join(threads[i], &result);
		good += (intptr_t)result == 1;
	}
	printf("done %d, seen by %d\n", done, good);

	done = 0;
	if (pipe(gate) < 0)
		return 1;
	pthread_create(&threads[0], NULL, call_interrupted, NULL);
	while (*(volatile int *)&attempts == 0)
		sched_yield();
	for (int i = 1; i < 5; i++)
		pthread_create(&threads[i], NULL, call_interrupted, NULL);
	SAY_ERROR(pthread_cancel(threads[0]));
	good = 0;
	for (int i = 0; i < 5; i++) {
		pthread_join(threads[i], &result);
		good += i == 0 ? result == PTHREAD_CANCELED : (intptr_t)result == 1;
	}
	printf("attempts %d, done %d, results as wanted %d\n", attempts, done, good);

	SAY_ERROR(pthread_once(&outer, nested));
	SAY_ERROR(pthread_once(&outer, nested));
	return 0;
}
