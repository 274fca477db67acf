/* SPDX-License-Identifier: MIT */
/* Copies memory of the program into a record. Reads only what is mapped: a page fault would change the run. */
#ifndef KERNEL_LINUX_STRACE_STRACE_COPY_H
#define KERNEL_LINUX_STRACE_STRACE_COPY_H

#include <stdbool.h>

#include "abi/strace.h"

/** A record in the ring while it is written, with room for STRACE_RECORD_MAX bytes. */
struct strace_writer {
	struct strace_record *record;
	bool late; /**< something was not mapped */
};

/** When copies are made. */
enum strace_moment { STRACE_AT_BEGIN, STRACE_AT_END };

/** Copies what the arguments of a call lead to at this moment, as abi/strace_calls.h says; `only` has a bit for each
 * argument that is looked at. Returns the bits of arguments that are to be copied at the beginning, and were not mapped
 * in full. */
unsigned strace_copy_arguments(struct strace_writer *writer, const uint64_t *arguments, enum strace_moment moment,
                               long result, unsigned only);

/** Copies kernel memory, as if it were at `address` in the program. */
void strace_copy_kernel(struct strace_writer *writer, uint64_t address, const void *from, uint64_t bytes);

#endif
