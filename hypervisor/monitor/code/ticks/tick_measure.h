/* SPDX-License-Identifier: MIT */
/* What `eremite info --ticks` says of a plan beside the numbers of places: how far apart they are, and what the planner
 * does not know of the file. */
#ifndef HYPERVISOR_TICK_MEASURE_H
#define HYPERVISOR_TICK_MEASURE_H

#include "code/code_function.h"
#include "code/code_scan.h"

/** Pieces of code in no function that are shorter are padding. */
#define TICK_PIECE_BYTES 16

/** The longest straight line without a place. */
struct tick_distance {
	uint64_t instructions, price; /**< the price in sixteenths of a tick */
	uint64_t address;             /**< where it begins */
};

/**
 * Finds the longest sequence of a function's instructions that follow each other without one of the places: of those
 * with the highest price so far, the first. A jump, return or call that always leaves ends it.
 */
void tick_measure_distance(struct tick_distance *longest, const struct code_function *function,
                           const struct code_area *area, const struct code_patch *places, size_t count);

#endif
