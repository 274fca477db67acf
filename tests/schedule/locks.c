/* SPDX-License-Identifier: MIT */
/* Two mutexes, taken in one order by a thread and in the other order by the other: locks HOW. With "order" they come to
 * a deadlock in some schedules alone, with "always" in all; "self" takes a mutex twice, "many" leaves ten thousand
 * threads waiting for a condition. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY 10000

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t both_have_one;
static int meet;

static void take(pthread_mutex_t *one, pthread_mutex_t *other)
{
	pthread_mutex_lock(one);
	if (meet)
		pthread_barrier_wait(&both_have_one);
	pthread_mutex_lock(other);
	pthread_mutex_unlock(other);
	pthread_mutex_unlock(one);
}

static void *in_order(void *argument)
{
	take(&first, &second);
	return argument;
}

static void *against_it(void *argument)
{
	take(&second, &first);
	return argument;
}

static void *wait_for_ever(void *argument)
{
	pthread_mutex_lock(&first);
	for (;;)
		pthread_cond_wait(&never, &first);
	return argument;
}

static pthread_t start(void *(*function)(void *), const char *name)
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	if (pthread_create(&thread, &attributes, function, NULL)) {
		puts("no thread");
		exit(1);
	}
	pthread_attr_destroy(&attributes);
	if (name)
		pthread_setname_np(thread, name);
	return thread;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	if (!strcmp(how, "self")) {
		pthread_mutex_lock(&first);
		pthread_mutex_lock(&first);
	}
	if (!strcmp(how, "many")) {
		for (int i = 0; i < MANY; i++)
			start(wait_for_ever, NULL);
		pthread_join(start(wait_for_ever, "last"), NULL);
	}
	meet = !strcmp(how, "always");
	pthread_barrier_init(&both_have_one, NULL, 2);
	pthread_t one = start(in_order, "ordered"), other = start(against_it, "opposed");
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	puts("both have had both");
	return 0;
}
