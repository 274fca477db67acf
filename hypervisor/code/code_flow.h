/* SPDX-License-Identifier: MIT */
/* Which bytes of a function are instructions, as far as that follows from places in it that are executed: those that
 * are reached by going on and by direct jumps and calls. Compilers place nothing else in a function, but whoever writes
 * assembly may have data there, and who reads them as instructions misses the instruction behind them. */
#ifndef HYPERVISOR_CODE_FLOW_H
#define HYPERVISOR_CODE_FLOW_H

#include "code/code_function.h"

/** How sure it is that there is an instruction. */
enum code_flow_trust {
	CODE_FLOW_REACHED, /**< it is executed */
	CODE_FLOW_GUESSED, /**< it is not known: none is, if what it goes on to does not agree with what is known */
};

/** Empties a function that shall be [range.address, + range.bytes), clipped to the area, with nothing known of it. 0 or
 * -ENOMEM. */
int code_flow_begin(struct code_function *function, const struct code_area *area, const struct code_range *range);

/**
 * Appends the instructions to the steps, in no order, that are reached from a byte of the function, and are not there
 * yet. 1; 0: a guess that is wrong, and no step came of it; or -ENOMEM.
 */
int code_flow_follow(struct code_function *function, const struct code_area *area, uint64_t at,
                     enum code_flow_trust trust);

#endif
