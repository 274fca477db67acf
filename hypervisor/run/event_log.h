/* SPDX-License-Identifier: MIT */
/* The log of one run's kernel calls, with which another run compares itself (abi/events.h). */
#ifndef HYPERVISOR_EVENT_LOG_H
#define HYPERVISOR_EVENT_LOG_H

#include <stdbool.h>

#include "abi/boot.h"
#include "abi/events.h"
#include "guest/guest_memory.h"

/** Memory of the log, shown to the guest at LAYOUT_EVENT_LOG, and what the next run does with it. */
struct event_log {
	struct host_memory memory;
	struct event_record *records; /**< EVENT_RECORDS records; the guest writes them, so readers copy them first */
	struct boot_events wanted;
};

/** Reserves lazily backed memory with `reserve`, for a run that records. Returns 0 or a negative errno. */
int event_log_init(struct event_log *log, host_memory_reserve *reserve);

/** Unmaps the log; accepts an all-zero log. */
void event_log_fini(struct event_log *log);

/**
 * From now on runs compare themselves with the recorded run, whose final state is `recorded`, and stop after call
 * `stop` (0: never). Returns 0, or -EPROTO if the state is impossible.
 */
int event_log_compare(struct event_log *log, const struct event_state *recorded, uint64_t stop);

/** Copies the recorded call with this number. Returns false if the log does not have it. */
bool event_log_find(const struct event_log *log, uint64_t number, struct event_record *record);

#endif
