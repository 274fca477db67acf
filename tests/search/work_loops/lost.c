/* SPDX-License-Identifier: MIT */
/* For work_loops.test: two threads add one to a number that no lock guards, and compute meanwhile: argument loop, in a
 * loop; entries, in functions that call themselves. An addition may be lost, which aborts. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static long total, gate;
static int in_loop;

__attribute__((noinline)) static long mix(long x, long rounds)
{
	for (long i = 0; i < rounds; i++)
		x = x * 31 + (x >> 3) + i;
	return x;
}

__attribute__((noinline)) static long walk(long x, long depth)
{
	return depth ? walk(x * 31 + depth, depth - 1) + walk(x ^ depth, depth - 1) : x;
}

static void *add(void *argument)
{
	long seen = total;
	gate += (in_loop ? mix(seen, 20000) : walk(seen, 12)) & 1;
	total = seen + 1;
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	in_loop = argc > 1 && !strcmp(argv[1], "loop");
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (total != 2)
		abort();
	return 0;
}
