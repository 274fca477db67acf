/* SPDX-License-Identifier: MIT */
/* Functions that tell of memory and change none: atomics' loads, say, where the compiler did not put them in place. */
#ifndef HYPERVISOR_CODE_READER_H
#define HYPERVISOR_CODE_READER_H

#include "code/code_map.h"
#include "code/code_steps.h"

#define CODE_READER_DEPTH 4 /**< of functions that call each other */

struct code_reader {
	struct code_map *map;
	uint64_t work; /**< so many instructions may still be disassembled */
	struct code_steps steps[CODE_READER_DEPTH];
};

/**
 * Whether the function at an address is small and stores nothing but on its stack, and so do those that it
 * calls; in one that was not optimised, calls of what is not known may be there, too, as of what ends the program.
 * *arguments becomes the registers that it takes arguments in, as bits (disassembler.h).
 */
bool code_reader_is(struct code_reader *reader, uint64_t address, uint64_t *arguments);

#endif
