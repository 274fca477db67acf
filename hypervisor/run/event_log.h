/* SPDX-License-Identifier: MIT */
/* The log of one run's kernel calls, which another run compares itself with (abi/events.h). */
#ifndef HYPERVISOR_EVENT_LOG_H
#define HYPERVISOR_EVENT_LOG_H

#include <stdbool.h>

#include "abi/boot.h"
#include "abi/events.h"
#include "guest/guest_memory.h"

/** Memory of the log, shown to the guest at LAYOUT_EVENT_LOG, and what the next run is to do with it. */
struct event_log {
	struct host_memory memory;
	struct event_record
		*records; /**< EVENT_RECORDS of them; the guest writes them, so they are copied to be read */
	struct boot_events wanted;
};

/** Reserves memory by `reserve`, lazily backed, for a run that records. 0 or a negative errno. */
int event_log_init(struct event_log *log, host_memory_reserve *reserve);

/** Unmaps; takes one that is all zero. */
void event_log_fini(struct event_log *log);

/**
 * From now on runs compare themselves with the one that was recorded, which left this state, and stop after call
 * `stop` (0: never). 0, or -EPROTO when the state cannot be true.
 */
int event_log_compare(struct event_log *log, const struct event_state *recorded, uint64_t stop);

/** The recorded call with this number. False when the log does not have it. */
bool event_log_find(const struct event_log *log, uint64_t number, struct event_record *record);

#endif
