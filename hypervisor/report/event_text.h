/* SPDX-License-Identifier: MIT */
#ifndef HYPERVISOR_EVENT_TEXT_H
#define HYPERVISOR_EVENT_TEXT_H

#include "abi/events.h"

#define EVENT_TEXT_BYTES 80

/** Writes what an event was, such as "read = 5", for a message. */
void event_text(const struct event_record *record, char to[EVENT_TEXT_BYTES]);

#endif
