/* SPDX-License-Identifier: MIT */
/* Mutexes by type: who may lock again, who may unlock, what trylock and destroy say, and that each excludes. */
#include <pthread.h>
#include <sched.h>

#include "sync.h"

#define THREADS 6
#define ROUNDS 200

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t *shared;
static int inside, count;

static void *try_it(void *mutex)
{
	return (void *)(long)pthread_mutex_trylock(mutex);
}

static void *unlock_it(void *mutex)
{
	return (void *)(long)pthread_mutex_unlock(mutex);
}

static void *enter(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		MUST(pthread_mutex_lock(shared) == 0);
		MUST(++inside == 1);
		count++;
		if ((i + (long)number) % 8 == 0)
			sched_yield();
		inside--;
		MUST(pthread_mutex_unlock(shared) == 0);
		if ((i + (long)number) % 5 == 0)
			sched_yield();
	}
	return NULL;
}

static void check_exclusion(const char *name, pthread_mutex_t *mutex)
{
	shared = mutex;
	count = 0;
	in_threads(THREADS, enter);
	printf("%s: entered %d times, one thread at a time\n", name, count);
}

static void check_type(int type)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;
	int told;
	pthread_mutexattr_init(&attributes);
	SAY_ERROR(pthread_mutexattr_settype(&attributes, type));
	SAY_ERROR(pthread_mutexattr_gettype(&attributes, &told));
	printf("type %d\n", told == type);
	SAY_ERROR(pthread_mutex_init(&mutex, &attributes));
	SAY_ERROR(pthread_mutexattr_destroy(&attributes));
	SAY_ERROR(pthread_mutex_lock(&mutex));
	SAY_ERROR((int)(long)in_thread(try_it, &mutex));
	SAY_ERROR(pthread_mutex_destroy(&mutex));
	SAY_ERROR(pthread_mutex_trylock(&mutex));
	if (type == PTHREAD_MUTEX_RECURSIVE)
		SAY_ERROR(pthread_mutex_unlock(&mutex));
	if (type == PTHREAD_MUTEX_ERRORCHECK || type == PTHREAD_MUTEX_RECURSIVE)
		SAY_ERROR(pthread_mutex_lock(&mutex));
	if (type == PTHREAD_MUTEX_RECURSIVE)
		SAY_ERROR(pthread_mutex_unlock(&mutex));
	if (type == PTHREAD_MUTEX_ERRORCHECK || type == PTHREAD_MUTEX_RECURSIVE)
		SAY_ERROR((int)(long)in_thread(unlock_it, &mutex));
	SAY_ERROR(pthread_mutex_unlock(&mutex));
	if (type == PTHREAD_MUTEX_ERRORCHECK || type == PTHREAD_MUTEX_RECURSIVE)
		SAY_ERROR(pthread_mutex_unlock(&mutex));
	SAY_ERROR((int)(long)in_thread(try_it, &mutex)); /* its owner has ended */
	SAY_ERROR(pthread_mutex_trylock(&mutex));
}

static void check_destroyed(void)
{
	pthread_mutex_t mutex;
	SAY_ERROR(pthread_mutex_init(&mutex, NULL));
	SAY_ERROR(pthread_mutex_lock(&mutex));
	SAY_ERROR(pthread_mutex_unlock(&mutex));
	SAY_ERROR(pthread_mutex_destroy(&mutex));
	SAY_ERROR(pthread_mutex_lock(&mutex));
	SAY_ERROR(pthread_mutex_trylock(&mutex));
	SAY_ERROR(pthread_mutex_unlock(&mutex));
	SAY_ERROR(pthread_mutex_init(&mutex, NULL));
	SAY_ERROR(pthread_mutex_trylock(&mutex));
}

int main(void)
{
	static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
	                            PTHREAD_MUTEX_ADAPTIVE_NP};
	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		check_type(types[i]);
	check_destroyed();
	check_exclusion("normal", &normal);
	check_exclusion("recursive", &recursive);
	check_exclusion("errorcheck", &errorcheck);
	check_exclusion("adaptive", &adaptive);
	return 0;
}
