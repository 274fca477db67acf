/* SPDX-License-Identifier: MIT */
/* Robust mutexes: what the next owner learns of one that ended, and what it may do then. */
#include <pthread.h>

#include "sync.h"

#define WAITERS 5

static pthread_mutex_t mutex, other, third;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int results[WAITERS];

static void make(pthread_mutex_t *made, int type)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_settype(&attributes, type);
	MUST(pthread_mutex_init(made, &attributes) == 0);
	pthread_mutexattr_destroy(&attributes);
}

static void *die(void *unused)
{
	MUST(pthread_mutex_lock(&mutex) == 0);
	return unused;
}

static void *die_deep(void *unused)
{
	MUST(pthread_mutex_lock(&mutex) == 0);
	MUST(pthread_mutex_lock(&mutex) == 0);
	pthread_exit(unused);
}

static void *die_with_many(void *unused)
{
	MUST(pthread_mutex_lock(&mutex) == 0);
	MUST(pthread_mutex_lock(&other) == 0);
	MUST(pthread_mutex_lock(&third) == 0);
	MUST(pthread_mutex_unlock(&other) == 0);
	return unused;
}

static void *try_it(void *unused)
{
	(void)unused;
	return (void *)(long)pthread_mutex_trylock(&mutex);
}

static void *die_later(void *unused)
{
	MUST(pthread_mutex_lock(&mutex) == 0);
	pthread_mutex_unlock(&gate);
	return unused;
}

/* Each passes it on as the first one left it. */
static void *wait_in_turn(void *number)
{
	int result = pthread_mutex_lock(&mutex);
	results[(long)number] = result;
	if (result == EOWNERDEAD)
		MUST(pthread_mutex_consistent(&mutex) == 0);
	MUST(pthread_mutex_unlock(&mutex) == 0);
	return NULL;
}

static void check_waiters(void)
{
	pthread_t holder;
	make(&mutex, PTHREAD_MUTEX_NORMAL);
	pthread_mutex_lock(&gate);
	start(&holder, die_later, NULL);
	pthread_mutex_lock(&gate);
	in_threads(WAITERS, wait_in_turn);
	pthread_join(holder, NULL);
	say_count(results, WAITERS, 0);
	say_count(results, WAITERS, EOWNERDEAD);
	say_count(results, WAITERS, ENOTRECOVERABLE);
	pthread_mutex_unlock(&gate);
}

static void check_type(int type)
{
	struct timespec soon;
	make(&mutex, type);
	SAY_ERROR(pthread_mutex_consistent(&mutex));
	in_thread(type == PTHREAD_MUTEX_RECURSIVE ? die_deep : die, NULL);
	SAY_ERROR(pthread_mutex_lock(&mutex));
	SAY_ERROR((int)(long)in_thread(try_it, NULL));
	SAY_ERROR(pthread_mutex_consistent(&mutex));
	SAY_ERROR(pthread_mutex_consistent(&mutex));
	SAY_ERROR(pthread_mutex_unlock(&mutex));
	SAY_ERROR(pthread_mutex_unlock(&mutex));
	SAY_ERROR(pthread_mutex_lock(&mutex));
	SAY_ERROR(pthread_mutex_unlock(&mutex));
	SAY_ERROR((int)(long)in_thread(try_it, NULL));
	soon = after_ms(CLOCK_REALTIME, 1000);
	SAY_ERROR(pthread_mutex_timedlock(&mutex, &soon));
	SAY_ERROR(pthread_mutex_consistent(&mutex));
	SAY_ERROR(pthread_mutex_unlock(&mutex));
	SAY_ERROR((int)(long)in_thread(try_it, NULL));
	SAY_ERROR(pthread_mutex_trylock(&mutex));
	SAY_ERROR(pthread_mutex_unlock(&mutex)); /* without having made it consistent */
	SAY_ERROR(pthread_mutex_lock(&mutex));
	SAY_ERROR(pthread_mutex_trylock(&mutex));
	SAY_ERROR(pthread_mutex_consistent(&mutex));
	SAY_ERROR(pthread_mutex_destroy(&mutex));
}

int main(void)
{
	pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
	SAY_ERROR(pthread_mutex_consistent(&plain));
	check_type(PTHREAD_MUTEX_NORMAL);
	check_type(PTHREAD_MUTEX_RECURSIVE);
	check_type(PTHREAD_MUTEX_ERRORCHECK);
	make(&mutex, PTHREAD_MUTEX_NORMAL);
	make(&other, PTHREAD_MUTEX_NORMAL);
	make(&third, PTHREAD_MUTEX_NORMAL);
	in_thread(die_with_many, NULL);
	SAY_ERROR(pthread_mutex_lock(&mutex));
	SAY_ERROR(pthread_mutex_lock(&other));
	SAY_ERROR(pthread_mutex_lock(&third));
	SAY_ERROR(pthread_mutex_unlock(&mutex));
	SAY_ERROR(pthread_mutex_unlock(&third));
	SAY_ERROR(pthread_mutex_unlock(&other));
	check_waiters();
	return 0;
}
