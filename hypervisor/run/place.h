/* SPDX-License-Identifier: MIT */
/* Where a guest stands that was interrupted. */
#ifndef HYPERVISOR_PLACE_H
#define HYPERVISOR_PLACE_H

#include "abi/doorbell.h"
#include "abi/sched.h"
#include "engine/engine.h"
#include "guest/image.h"

/** As a report of the thread that runs, to be shown. 0, or a negative errno. */
int place_take(const struct engine_ops *ops, struct engine *engine, const struct guest_memory *memory,
               struct fault_report *report);

/** What the scheduler tells the monitor, unchecked; returns the virtual time in ticks. */
uint64_t place_shared(const struct guest_memory *memory, const struct image *image, struct sched_shared *shared);

#endif
