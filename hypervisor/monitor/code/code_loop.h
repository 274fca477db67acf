/* SPDX-License-Identifier: MIT */
/* Examines one loop of a program: whether it waits until another thread changes memory, and meanwhile counts, computes
 * or calls functions (code_waits.h). Values are followed backwards within a basic block. A value from elsewhere in the
 * loop counts as different in each iteration. */
#ifndef HYPERVISOR_CODE_LOOP_H
#define HYPERVISOR_CODE_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/code_reader.h"
#include "code/code_steps.h"

#define CODE_LOOP_BYTES 1024 /**< limit of a loop's size, in bytes */

struct code_loop {
	struct code_reader reader; /**< for the functions that it calls; has the remaining work for all loops */
	const struct code_area *area;
	uint64_t start, end; /**< addresses; the jump back is the last instruction */
	struct code_steps steps;
	unsigned patience; /**< number of values that may still be followed */
	uint64_t written;  /**< registers that any step writes */
	bool is_all_read;  /**< what all steps use is known, and with it `written`, has_call and is_as_written */
	bool is_wrong;     /**< a step cannot be part of a loop that waits */
	bool has_call;
	bool is_as_written; /**< its code was compiled without optimisation */
	bool is_strict;     /**< any memory that it may store to counts as stored to */
	bool has_alias;     /**< it may store to the memory that it reads, in a way that is rare in compiled code */
};

/**
 * Returns the step of the loop from `start` to `end` that becomes a decision point, or CODE_STEPS_NONE if the loop does
 * not wait. Sets *is_sure if neither a called function nor a pointer can change the value that it waits for.
 */
size_t code_loop_point(struct code_loop *loop, bool *is_sure);

#endif
