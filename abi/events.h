/* SPDX-License-Identifier: MIT */
/* The log of kernel calls, with which --verify finds the first call that differs between two runs. The first run writes
 * the log. The second run compares its calls with the log and stops at the first difference. A call gets its number
 * when it returns; numbers start at 1. In each mode the run stops after the call boot_events.stop, if that is not 0:
 * at the end of a recording that was cut off. */
#ifndef ABI_EVENTS_H
#define ABI_EVENTS_H

#include <stdint.h>

#include "abi/layout.h"

enum event_log_mode {
	EVENT_LOG_OFF = 0,
	EVENT_LOG_RECORD,
	EVENT_LOG_COMPARE,
	EVENT_LOG_COUNT, /**< only event_state.returned, for positions in a recording; there is no log */
};

/** Stands in place of a system call number for a thread switch; the result is the new thread's number. */
#define EVENT_SWITCH 511

/** One call that has returned, or one switch. */
struct event_record {
	int64_t result;
	uint64_t call_and_chain; /**< bits 0 to 15: system call number; the others: first half of the chain after the
	                            call */
};

_Static_assert(sizeof(struct event_record) == 16, "event_record");

#define EVENT_CALL(record) ((unsigned)((record).call_and_chain & 0xffff))
#define EVENT_RECORDS (LAYOUT_EVENT_LOG_SIZE / sizeof(struct event_record))

/** At LAYOUT_EVENTS: the guest's state of the log. Record i describes call (i + 1) * stride behind those that were left
 * out. When the log is full,
 * every second record is dropped and the stride doubles. */
struct event_state {
	uint64_t returned; /**< calls that have returned */
	uint64_t records;
	uint64_t stride;
	uint64_t stopped;         /**< the call after which the run was stopped; 0: the run was not stopped */
	uint64_t differs;         /**< 1: the run was stopped because that call differs from the log */
	struct event_record last; /**< that call */
};

_Static_assert(sizeof(struct event_state) == 56, "event_state");

#endif
