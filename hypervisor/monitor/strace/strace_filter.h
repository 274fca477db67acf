/* SPDX-License-Identifier: MIT */
/* Which calls --strace shows: its CALLS. */
#ifndef HYPERVISOR_STRACE_FILTER_H
#define HYPERVISOR_STRACE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/strace.h"
#include "base/error.h"

struct strace_filter {
	uint64_t wanted[STRACE_CALLS / 64]; /**< as in struct strace_area */
	bool counts;                        /**< only count them */
};

/**
 * Reads CALLS: names of calls, classes of calls and `count`, separated by commas; `!` before them means all others. A
 * text of 0 bytes means all calls. Returns 0, or -EINVAL with a line in *error.
 */
int strace_filter_read(struct strace_filter *filter, const char *text, size_t bytes, struct error *error);

/** The name of a call, or NULL. */
const char *strace_filter_name(unsigned number);

#endif
