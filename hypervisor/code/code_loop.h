/* SPDX-License-Identifier: MIT */
/* One loop of a program: whether it waits until somebody else changes memory, and counts, computes or calls meanwhile
 * (code_waits.h). Values are followed backwards within a basic block; one that comes from elsewhere in the loop counts
 * as another one each time round. */
#ifndef HYPERVISOR_CODE_LOOP_H
#define HYPERVISOR_CODE_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/code_reader.h"
#include "code/code_steps.h"

#define CODE_LOOP_BYTES 1024 /**< of a loop, at the most */

struct code_loop {
	struct code_reader reader; /**< of what it calls; with the work that is left, for all */
	const struct code_area *area;
	uint64_t start, end; /**< addresses; the jump back is the last instruction */
	struct code_steps steps;
	unsigned patience; /**< so many values may still be followed */
	uint64_t written;  /**< registers that any step writes */
	bool has_call;
	bool is_as_written; /**< it was not optimised */
	bool is_strict;     /**< what may be stored to is */
	bool has_alias;     /**< it may store where it looks, in a way that code as compilers make it seldom does */
};

/**
 * The step of the loop from `start` to `end` that is to be a decision point, or CODE_STEPS_NONE: it is no loop that
 * waits. *is_sure: neither a function that it calls nor a pointer can change what it waits for.
 */
size_t code_loop_point(struct code_loop *loop, bool *is_sure);

#endif
