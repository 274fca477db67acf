/* SPDX-License-Identifier: MIT */
/* Finds the bytes of a function that are instructions: those that control flow reaches from executed places, by
 * continuing and by direct jumps and calls. Compilers place nothing else in a function, but assembly may contain data.
 * Reading data as instructions misses the instruction after it. */
#ifndef HYPERVISOR_CODE_FLOW_H
#define HYPERVISOR_CODE_FLOW_H

#include "code/code_function.h"

/** How certain it is that a place is an instruction. */
enum code_flow_trust {
	CODE_FLOW_REACHED, /**< it is executed */
	CODE_FLOW_GUESSED, /**< a guess: wrong if the instructions that follow contradict known ones */
};

/** Resets a function to the range, clipped to the area, with no bytes known. Returns 0 or -ENOMEM. */
int code_flow_begin(struct code_function *function, const struct code_area *area, const struct code_range *range);

/**
 * Appends, unsorted, the instructions that are reached from offset `at` of the function and are not in its steps yet.
 * Returns 1; 0 for a wrong guess, which adds no step; or -ENOMEM.
 */
int code_flow_follow(struct code_function *function, const struct code_area *area, uint64_t at,
                     enum code_flow_trust trust);

#endif
