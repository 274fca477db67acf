/* SPDX-License-Identifier: MIT */
/* Threads that work for a guest while it runs in the main thread. */
#ifndef HYPERVISOR_BESIDE_H
#define HYPERVISOR_BESIDE_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

/**
 * Starts a thread that blocks signals, if there is a processor that the guest does not use. Returns whether it runs; if
 * so, the caller joins it.
 */
bool beside_start(pthread_t *thread, void *(*function)(void *), void *argument);

/** Whether there is a processor that the guest does not use. */
bool beside_has_processor(void);

/** Starts a thread that blocks signals, on any processor of this process. Returns 0 or an errno. */
int beside_create(pthread_t *thread, void *(*function)(void *), void *argument);

/** How many processors the threads can run on, at least 1. */
unsigned beside_processors(void);

/**
 * Records the processors on which this process may run, before its main thread is restricted to one of them. Threads
 * that it starts inherit the restriction, except by the functions above.
 */
void beside_remember(const cpu_set_t *processors);

/** Lets the calling thread run on all recorded processors. */
void beside_spread(void);

#endif
