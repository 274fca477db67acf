/* SPDX-License-Identifier: MIT */
/* One operation of threads, repeated. The same source is an image and a native program, which keeps to one processor:
 * what is compared is the switch, not the talk between processors. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long half; /* operations of each of two threads */

static void must(int error, const char *what)
{
	if (!error)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(error));
	exit(1);
}

static void two_threads(void *(*function)(void *))
{
	pthread_t one, other;
	must(pthread_create(&one, NULL, function, (void *)0), "pthread_create");
	must(pthread_create(&other, NULL, function, (void *)1), "pthread_create");
	must(pthread_join(one, NULL), "pthread_join");
	must(pthread_join(other, NULL), "pthread_join");
}

static void *yield(void *number)
{
	for (unsigned long i = 0; i < half; i++)
		sched_yield();
	return number;
}

static void yield_loop(unsigned long count)
{
	half = count / 2;
	two_threads(yield);
}

static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t begun;

static void *wait_for_the_end(void *unused)
{
	pthread_mutex_lock(&locks[0]);
	pthread_mutex_unlock(&locks[0]);
	return unused;
}

/* Another thread exists, so that glibc does not take the way of programs that have one. */
static void lock_loop(unsigned long count)
{
	pthread_t other;
	pthread_mutex_lock(&locks[0]);
	must(pthread_create(&other, NULL, wait_for_the_end, NULL), "pthread_create");
	for (unsigned long i = 0; i < count; i++) {
		pthread_mutex_lock(&locks[1]);
		pthread_mutex_unlock(&locks[1]);
	}
	pthread_mutex_unlock(&locks[0]);
	must(pthread_join(other, NULL), "pthread_join");
}

/* Each holds one of three locks and goes on to the next, which the other holds and gives up only when it waits for one
 * of this thread: each lock is a wait, and each unlock a wake-up. */
static void *follow(void *number)
{
	unsigned held = number ? 1 : 0;
	pthread_mutex_lock(&locks[held]);
	pthread_barrier_wait(&begun);
	for (unsigned long i = 0; i < half; i++) {
		unsigned next = (held + 1) % 3;
		pthread_mutex_lock(&locks[next]);
		pthread_mutex_unlock(&locks[held]);
		held = next;
	}
	pthread_mutex_unlock(&locks[held]);
	return NULL;
}

static void handover_loop(unsigned long count)
{
	half = count / 2;
	pthread_barrier_init(&begun, NULL, 2);
	two_threads(follow);
}

static void *nothing(void *argument)
{
	return argument;
}

static void create_loop(unsigned long count)
{
	for (unsigned long i = 0; i < count; i++) {
		pthread_t thread;
		must(pthread_create(&thread, NULL, nothing, NULL), "pthread_create");
		must(pthread_join(thread, NULL), "pthread_join");
	}
}

static const struct {
	const char *name;
	void (*loop)(unsigned long count);
} loops[] = {{"yield", yield_loop}, {"lock", lock_loop}, {"handover", handover_loop}, {"create", create_loop}};

int main(int argc, char **argv)
{
#ifdef __linux__
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
#endif
	for (unsigned i = 0; argc == 3 && i < sizeof(loops) / sizeof(loops[0]); i++) {
		if (strcmp(argv[1], loops[i].name))
			continue;
		loops[i].loop(strtoul(argv[2], NULL, 0));
		return 0;
	}
	return 2;
}
