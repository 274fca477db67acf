/* SPDX-License-Identifier: MIT */
/* Finds loops that wait until another thread changes memory, and meanwhile count or compute: `while (!stop) n++`. Each
 * becomes a decision point, because nothing else would let the other thread run. Loops that wait and do nothing else
 * are found while they run (spin.h). */
#ifndef HYPERVISOR_CODE_WAITS_H
#define HYPERVISOR_CODE_WAITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "code/code_map.h"

struct code_wait {
	uint64_t address; /**< address of an instruction of the loop */
	uint64_t jump;    /**< address of the jump back; 0 for one from the cache */
	bool is_sure;     /**< neither a called function nor a pointer can change the value that it waits for */
};

struct code_waits {
	struct code_wait *at; /**< ascending; freed by the caller */
	size_t count, room;
};

/**
 * Finds the loops in known functions that:
 *
 * - end with a direct jump back, and leave the loop only by conditional jumps;
 * - are left only when a value read from memory has changed: its address and the value that it is compared with are the
 * same in each iteration, and as far as operands show, the loop stores only the same value there; functions that only
 * read (code_reader.h) count as part of the loop;
 * - change something else in each iteration, and do not yield themselves.
 *
 * A loop that only seems to be of this kind costs time, and nothing else. Returns 0, or a negative errno with one line
 * in *error: -ENOMEM, or -ELIBACC if the disassembler is not installed.
 */
int code_waits_find(struct code_map *map, struct code_waits *waits, struct error *error);

#endif
