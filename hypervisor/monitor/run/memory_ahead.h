/* SPDX-License-Identifier: MIT */
/* Populates guest memory in a second thread before the guest touches it. The host clears each huge page at its first
 * touch, which takes longer than most work of a short program. The guest sees zeros either way. */
#ifndef HYPERVISOR_MEMORY_AHEAD_H
#define HYPERVISOR_MEMORY_AHEAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "guest/guest_memory.h"

/** Zero-initialised: no thread. */
struct memory_ahead {
	const struct guest_memory *memory;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool running;      /**< the thread exists */
	bool refused;      /**< the thread is not worth it, or could not be started */
	bool end;          /**< under lock: the thread is to end */
	uint64_t next;     /**< under lock: guest-physical address that the thread populates next */
	uint64_t want;     /**< under lock: end of the memory to populate */
	uint64_t expected; /**< expected end of the memory that the guest uses; 0: unknown */
};

/**
 * Reports that guest-physical memory below `used` is in use, and that the guest uses the memory after it next. The
 * first call starts the thread, if a processor is free for it.
 */
void memory_ahead_follow(struct memory_ahead *ahead, const struct guest_memory *memory, uint64_t used);

/**
 * Called before the guest runs: reports that it will probably use the memory [low, high), which can be empty. Starts
 * the thread, if a processor is free for it.
 */
void memory_ahead_expect(struct memory_ahead *ahead, const struct guest_memory *memory, uint64_t low, uint64_t high);

/**
 * Calls memory_ahead_follow with the end of the used memory from the guest's statistics. The guest's kernel hands out
 * frames in order (kernel/mm/frame.h).
 */
void memory_ahead_follow_guest(struct memory_ahead *ahead, const struct guest_memory *memory);

/** Ends the thread. Called before the memory is unmapped. */
void memory_ahead_end(struct memory_ahead *ahead);

#endif
