/* SPDX-License-Identifier: MIT */
/* A place in a run at which the program is to stop, as --at and `monitor at` take it. */
#ifndef HYPERVISOR_DEBUG_DEBUG_PLACE_H
#define HYPERVISOR_DEBUG_DEBUG_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/debug.h"
#include "abi/sched_settings.h"
#include "base/error.h"

struct debug_place {
	enum debug_place_kind kind;
	uint64_t number;                 /**< as in struct debug_wanted */
	char marker[SCHED_MARKER_BYTES]; /**< ended by a NUL */
};

#define DEBUG_PLACES "exit, failure, decision:N, time:T, call:N or marker:NAME"

/** Parses one of DEBUG_PLACES. Returns 0, or a negative errno with one line. */
int debug_place_parse(const char *text, struct debug_place *place, struct error *error);

#endif
