/* SPDX-License-Identifier: MIT */
/* A thread of a test that is to wait in a kernel call before the test goes on. */
#ifndef TESTS_GUEST_WAITER_H
#define TESTS_GUEST_WAITER_H

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct waiter {
	pthread_t thread;
	void (*run)(void *argument);
	void *argument;
	atomic_bool runs;
	int stat; /* Linux: /proc's file about it, opened once because descriptors are what some tests are about */
};

static inline void *waiter_main(void *argument)
{
	struct waiter *waiter = argument;
#ifndef __EREMITE__
	waiter->stat = open("/proc/thread-self/stat", O_RDONLY);
	if (waiter->stat < 0)
		abort();
#endif
	waiter->runs = true;
	waiter->run(waiter->argument);
	return NULL;
}

/* Whether it waits. Linux's /proc tells. Here two seconds of virtual time end when nobody can run any more: time
 * jumps by less while a thread is ready (docs/scheduling.md, `delay`). */
static inline int waiter_waits(struct waiter *waiter)
{
#ifdef __EREMITE__
	sleep(2);
	return waiter->runs;
#else
	char text[64] = "", state = 0;
	if (pread(waiter->stat, text, sizeof(text) - 1, 0) < 0 || sscanf(text, "%*d (%*[^)]) %c", &state) != 1)
		abort();
	return state == 'S';
#endif
}

/** Starts a thread, and returns when it waits in run(argument). */
static inline void waiter_start(struct waiter *waiter, void (*run)(void *argument), void *argument)
{
	waiter->run = run;
	waiter->argument = argument;
	waiter->runs = false;
	if (pthread_create(&waiter->thread, NULL, waiter_main, waiter))
		abort();
	do
		sched_yield();
	while (!waiter->runs || !waiter_waits(waiter));
}

/** Waits for the thread's end. */
static inline void waiter_join(struct waiter *waiter)
{
	pthread_join(waiter->thread, NULL);
#ifndef __EREMITE__
	close(waiter->stat);
#endif
}

#endif
