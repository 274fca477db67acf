/* SPDX-License-Identifier: MIT */
/* The place where a guest was interrupted. */
#ifndef HYPERVISOR_PLACE_H
#define HYPERVISOR_PLACE_H

#include "abi/doorbell.h"
#include "engine/engine.h"
#include "guest/image.h"

struct sched_shared;

/** Fills a report of the running thread. Returns 0 or a negative errno. */
int place_take(const struct engine_ops *ops, struct engine *engine, const struct guest_memory *memory,
               struct fault_report *report);

/** Copies the data that the scheduler shares with the monitor, unchecked. Returns the virtual time in ticks. */
uint64_t place_shared(const struct guest_memory *memory, const struct image *image, struct sched_shared *shared);

#endif
