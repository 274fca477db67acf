/* SPDX-License-Identifier: MIT */
/* How tests of synchronisation tell what calls yield, and how they run threads. What they print holds under any
 * schedule. */
#ifndef TESTS_GUEST_SYNC_H
#define TESTS_GUEST_SYNC_H

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "say.h"

/** Ends the test if what must hold does not. */
#define MUST(condition) must(#condition, __FILE__, __LINE__, (condition))

static inline void must(const char *what, const char *file, int line, int holds)
{
	if (holds)
		return;
	printf("%s:%d: not so: %s\n", file, line, what);
	fflush(stdout);
	_Exit(1);
}

/** Moment `ms` milliseconds from now on a clock. */
static inline struct timespec after_ms(clockid_t clock, long ms)
{
	struct timespec ts;
	MUST(clock_gettime(clock, &ts) == 0);
	ts.tv_sec += ms / 1000;
	ts.tv_nsec += ms % 1000 * 1000000;
	if (ts.tv_nsec >= 1000000000) {
		ts.tv_sec++;
		ts.tv_nsec -= 1000000000;
	}
	return ts;
}

/** Whether a moment has passed. */
static inline int has_passed(clockid_t clock, struct timespec moment)
{
	struct timespec now;
	MUST(clock_gettime(clock, &now) == 0);
	return now.tv_sec > moment.tv_sec || (now.tv_sec == moment.tv_sec && now.tv_nsec >= moment.tv_nsec);
}

static inline void start(pthread_t *thread, void *(*function)(void *), void *argument)
{
	MUST(pthread_create(thread, NULL, function, argument) == 0);
}

/** Runs a function in a thread of its own, to its end. */
static inline void *in_thread(void *(*function)(void *), void *argument)
{
	pthread_t thread;
	void *result;
	start(&thread, function, argument);
	MUST(pthread_join(thread, &result) == 0);
	return result;
}

/** Prints how many of those who waited were told of this error. */
static inline void say_count(const int *results, int waiters, int error)
{
	int found = 0;
	for (int i = 0; i < waiters; i++)
		found += results[i] == error;
	say_error("of those who waited, with", error);
	printf("%d\n", found);
}

/** Runs a function in so many threads (at most 256), to their ends; each has its number, from 0, as argument. */
static inline void in_threads(int count, void *(*function)(void *))
{
	pthread_t threads[256];
	for (long i = 0; i < count; i++)
		start(&threads[i], function, (void *)i);
	for (int i = 0; i < count; i++)
		MUST(pthread_join(threads[i], NULL) == 0);
}

#endif
