/* SPDX-License-Identifier: MIT */
/* Kernel calls that a watched run has told of. */
#ifndef HYPERVISOR_EVENTS_H
#define HYPERVISOR_EVENTS_H

#include <stddef.h>

#include "abi/events.h"
#include "guest_memory.h"

/** A growing list of records; zero-initialised it is empty. */
struct events {
	struct event_record *records;
	size_t count, room;
};

/** Takes the records out of the guest's buffer. 0, -EPROTO when the buffer is corrupt, or -ENOMEM. */
int events_take(struct events *events, const struct guest_memory *memory);

/** Index of the first record in which two lists differ, or where one ends; -1 when they are equal. */
long events_difference(const struct events *a, const struct events *b);

void events_fini(struct events *events);

#endif
