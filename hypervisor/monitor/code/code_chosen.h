/* SPDX-License-Identifier: MIT */
/* The chosen decision points of a file that are not found by their bytes: sampled stores (code_stores.h) and loops
 * that wait (code_waits.h). */
#ifndef HYPERVISOR_CODE_CHOSEN_H
#define HYPERVISOR_CODE_CHOSEN_H

#include "code/code_map.h"
#include "code/code_stores.h"
#include "code/code_waits.h"

struct code_choice {
	uint64_t address;
	bool waits;   /**< in a loop that waits; otherwise a store */
	bool is_sure; /**< made a decision point even without room for a jump */
};

/** All zero: none. */
struct code_chosen {
	struct code_choice *at; /**< ascending */
	size_t count, next;     /**< `next`: index of the first one at or after the current place */
	bool has_atomics;       /**< atomic instructions are decision points already */
};

/**
 * Makes one list of the instructions in `waits` (loops that wait) and in `sample` (stores that were drawn). An
 * instruction that is in both counts as one of a loop that waits. `has_atomics`: atomic instructions are decision
 * points already. Returns 0 or -ENOMEM.
 */
int code_chosen_make(const struct code_waits *waits, const struct code_sample *sample, bool has_atomics,
                     struct code_chosen *chosen);

/** Advances `next` to the first one that is not below an address. */
void code_chosen_skip(struct code_chosen *chosen, uint64_t address);

/**
 * Sets the kinds of the chosen instructions among a function's steps. Advances `next` to the first one in or after the
 * function.
 */
void code_chosen_mark(struct code_chosen *chosen, struct code_function *function, const struct code_area *area);

/**
 * Whether a chosen instruction from `next` on has is_sure: without room for a jump it becomes a trap, which is slow.
 */
bool code_chosen_is_sure(const struct code_chosen *chosen, uint64_t address);

/** Frees the list. */
void code_chosen_fini(struct code_chosen *chosen);

#endif
