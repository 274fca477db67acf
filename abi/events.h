/* SPDX-License-Identifier: MIT */
/* The log of kernel calls: how --verify finds the first one that differs between two runs. The first run writes it; the
 * second compares itself with it and stops where it differs. A call is numbered when it returns, from 1. */
#ifndef ABI_EVENTS_H
#define ABI_EVENTS_H

#include <stdint.h>

#include "abi/layout.h"

enum event_log_mode {
	EVENT_LOG_OFF = 0,
	EVENT_LOG_RECORD,
	EVENT_LOG_COMPARE,
};

/** Instead of a system call's number: another thread was switched to, whose number is the result. */
#define EVENT_SWITCH 511

/** One call that has returned, or one switch. */
struct event_record {
	int64_t result;
	uint64_t call_and_chain; /**< system call number in the low 16 bits, the first half of the chain after it above
	                          */
};

_Static_assert(sizeof(struct event_record) == 16, "event_record");

#define EVENT_CALL(record) ((unsigned)((record).call_and_chain & 0xffff))
#define EVENT_RECORDS (LAYOUT_EVENT_LOG_SIZE / sizeof(struct event_record))

/**
 * At LAYOUT_EVENTS; what the guest keeps of its log. Record i is of call (i + 1) * stride. When the log is full every
 * second record is dropped and the stride doubles.
 */
struct event_state {
	uint64_t returned; /**< calls that have returned */
	uint64_t records;
	uint64_t stride;
	uint64_t stopped;         /**< the call after which the run was stopped, 0: it was not */
	uint64_t differs;         /**< 1: because that call is not as the log has it */
	struct event_record last; /**< that call */
};

#endif
