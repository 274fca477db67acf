/* SPDX-License-Identifier: MIT */
/* Loops that wait until somebody else changes memory, and count or compute meanwhile: `while (!stop) n++`. Each is made
 * a decision point, because nothing else would ever let somebody else go on. Loops that wait and do nothing are none of
 * these: they are found as they run (spin.h). */
#ifndef HYPERVISOR_CODE_WAITS_H
#define HYPERVISOR_CODE_WAITS_H

#include <stdbool.h>
#include <stddef.h>

#include "code/code_map.h"

struct code_wait {
	uint64_t address; /**< of an instruction of the loop */
	bool is_sure;     /**< neither a function that it calls nor a pointer can change what it waits for */
};

struct code_waits {
	struct code_wait *at; /**< ascending; for the caller to free */
	size_t count, room;
};

/**
 * Finds the loops in known functions that
 *
 * - end with a direct jump back, and have no other jump to the outside but conditional ones;
 * - are only left when something that is read from memory has changed: what it is compared with and where it stands
 * stay the same each time round, and the loop stores nothing there but what is there already, as far as operands tell;
 * functions that only read (code_reader.h) are a part of it;
 * - change something else each time round, and do not yield by themselves.
 *
 * A loop that is not of this kind and seems to be costs time, and nothing else. 0; or a negative errno with one line in
 * error[]: -ENOMEM, or -ELIBACC when the disassembler is not installed.
 */
int code_waits_find(struct code_map *map, struct code_waits *waits, char error[256]);

#endif
