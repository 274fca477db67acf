/* SPDX-License-Identifier: MIT */
/* Gives a guest memory before it touches it, in a second thread: the host clears each huge page that is touched first,
 * which takes longer than most of what a short program does. What the guest sees is the same: zeros. */
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
	bool refused;      /**< it is not worth it, or cannot be had */
	bool end;          /**< under lock: it is to end */
	uint64_t next;     /**< under lock: guest-physical, what it has come to */
	uint64_t want;     /**< under lock: up to where memory is wanted */
	uint64_t expected; /**< up to where it will be used, as far as anybody knows, or 0 */
};

/**
 * Says how far the guest has come: guest-physical memory below `used` is in use, and what follows will be next. For
 * guests that go on to use more; the first call starts the thread, if there is a processor for it.
 */
void memory_ahead_follow(struct memory_ahead *ahead, const struct guest_memory *memory, uint64_t used);

/**
 * Says what memory the guest will use, as far as anybody knows, before it runs: [low, high), or nothing. Starts the
 * thread, if there is a processor for it.
 */
void memory_ahead_expect(struct memory_ahead *ahead, const struct guest_memory *memory, uint64_t low, uint64_t high);

/** The same for a guest whose kernel tells how far it is: frames are handed out in order (kernel/mm/frame.h). */
void memory_ahead_follow_guest(struct memory_ahead *ahead, const struct guest_memory *memory);

/** Ends the thread, before the memory goes. */
void memory_ahead_end(struct memory_ahead *ahead);

#endif
