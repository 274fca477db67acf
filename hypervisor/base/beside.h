/* SPDX-License-Identifier: MIT */
/* Threads that work for a guest while it runs in the main thread. */
#ifndef HYPERVISOR_BESIDE_H
#define HYPERVISOR_BESIDE_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

/**
 * Starts a thread, in which no signal is handled, if there is a processor for it that the guest does not use. Whether
 * it runs; the caller joins it then.
 */
bool beside_start(pthread_t *thread, void *(*function)(void *), void *argument);

/**
 * Says that this process may run on several processors, these, although its main thread keeps to one of them, as
 * threads would that it starts otherwise than by beside_start.
 */
void beside_remember(const cpu_set_t *processors);

/** The calling thread runs where the process may run. */
void beside_spread(void);

#endif
