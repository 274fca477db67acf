/* SPDX-License-Identifier: MIT */
/* A robust mutex that nobody made consistent: all who wait for it learn so. Compared with what POSIX says, since glibc
 * 2.36 forgets to wake one of them in about one run of sixty, and hangs. */
#include <pthread.h>

#include "sync.h"

#define WAITERS 5

static pthread_mutex_t mutex;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int results[WAITERS];

static void *die(void *unused)
{
	MUST(pthread_mutex_lock(&mutex) == 0);
	pthread_mutex_unlock(&gate);
	return unused;
}

static void *give_up(void *number)
{
	int result = pthread_mutex_lock(&mutex);
	results[(long)number] = result;
	if (result == EOWNERDEAD)
		MUST(pthread_mutex_unlock(&mutex) == 0);
	return NULL;
}

int main(void)
{
	pthread_t holder;
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	MUST(pthread_mutex_init(&mutex, &attributes) == 0);
	pthread_mutexattr_destroy(&attributes);
	pthread_mutex_lock(&gate);
	start(&holder, die, NULL);
	pthread_mutex_lock(&gate);
	in_threads(WAITERS, give_up);
	pthread_join(holder, NULL);
	say_count(results, WAITERS, 0);
	say_count(results, WAITERS, EOWNERDEAD);
	say_count(results, WAITERS, ENOTRECOVERABLE);
	return 0;
}
