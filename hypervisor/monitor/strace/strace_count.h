/* SPDX-License-Identifier: MIT */
/* Counts of calls, as of strace -c. */
#ifndef HYPERVISOR_STRACE_COUNT_H
#define HYPERVISOR_STRACE_COUNT_H

#include <stdint.h>

#include "abi/strace.h"
#include "strace/strace_out.h"

struct strace_count {
	struct {
		uint64_t calls, errors, ns;
	} of[STRACE_CALLS];
};

/** A call has ended after so much virtual time. */
void strace_count_add(struct strace_count *count, unsigned call, int64_t result, uint64_t ns);

/** Shows the table. */
void strace_count_show(const struct strace_count *count, struct strace_out *out);

#endif
