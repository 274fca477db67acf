/* SPDX-License-Identifier: MIT */
/* Decision points of a file that are not searched for by their bytes: stores that are drawn (code_stores.h), and loops
 * that wait (code_waits.h). */
#ifndef HYPERVISOR_CODE_CHOSEN_H
#define HYPERVISOR_CODE_CHOSEN_H

#include "code/code_map.h"
#include "code/code_scan.h"

struct code_choice {
	uint64_t address;
	bool waits;   /**< in a loop that does, else a store */
	bool is_sure; /**< it is made a point also where it has no room for a jump */
};

/** All zero: none. */
struct code_chosen {
	struct code_choice *at; /**< ascending */
	size_t count, next;     /**< `next`: the first that is not behind what was looked at */
	bool has_atomics;       /**< what is atomic is a point already */
};

/** Chooses them. The disassembler is loaded then. 0, or a negative errno with one line in error[]. */
int code_chosen_make(struct code_map *map, const struct code_points *points, struct code_chosen *chosen,
                     char error[256]);

/** Has `next` be none below an address. */
void code_chosen_skip(struct code_chosen *chosen, uint64_t address);

/** Gives those among a function's steps their kinds; `next` is none before the function then. */
void code_chosen_mark(struct code_chosen *chosen, struct code_function *function, const struct code_area *area);

/** Whether an instruction from `next` on is sure to be a point: it may become a trap for want of room, and take its
 * time. */
bool code_chosen_is_sure(const struct code_chosen *chosen, uint64_t address);

/** Frees what it holds. */
void code_chosen_fini(struct code_chosen *chosen);

#endif
