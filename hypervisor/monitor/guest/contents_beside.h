/* SPDX-License-Identifier: MIT */
/* Copies large parts of contents (guest_contents_copy) by two threads, because the guest waits meanwhile. */
#ifndef HYPERVISOR_CONTENTS_BESIDE_H
#define HYPERVISOR_CONTENTS_BESIDE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "guest/guest_contents.h"

/** Zero-initialised: no thread. */
struct contents_beside {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t asked; /**< there is a part to copy, or the thread is to end */
	pthread_cond_t done;  /**< the part is copied */
	bool running;         /**< the thread exists */
	bool refused;         /**< there is no processor for the thread, or it could not be started */
	/* Under lock: */
	bool end; /**< the thread is to end */
	const struct guest_contents *contents;
	uint64_t address, bytes; /**< the part that is copied; guest-physical */
	uint8_t *to;
	uint64_t next; /**< bytes of it that are copied, or that a thread copies */
	uint64_t left; /**< bytes of it that are not copied yet */
};

/** As guest_contents_copy. The first call for a large part starts the thread, if a processor is free for it. */
bool contents_beside_copy(struct contents_beside *beside, const struct guest_contents *contents, uint64_t address,
                          uint64_t bytes, void *to);

/** Ends the thread. Called before the contents are closed. */
void contents_beside_end(struct contents_beside *beside);

#endif
