/* SPDX-License-Identifier: MIT */
/* Records of kernel calls: how --verify finds the first one that differs between two runs. */
#ifndef ABI_EVENTS_H
#define ABI_EVENTS_H

#include <stdint.h>

#include "abi/layout.h"

struct event_record {
	uint64_t number; /**< of the event, from 1 */
	uint64_t call;   /**< system call number */
	int64_t result;
	uint64_t chain; /**< first half of the chain after it */
};

#define EVENT_RECORDS ((LAYOUT_EVENTS_SIZE - 8) / sizeof(struct event_record))

/** At LAYOUT_EVENTS. The monitor takes the records at DOORBELL_EVENTS and when the run ends. */
struct event_buffer {
	uint64_t count;
	struct event_record records[EVENT_RECORDS];
};

_Static_assert(sizeof(struct event_buffer) <= LAYOUT_EVENTS_SIZE, "event_buffer");

#endif
