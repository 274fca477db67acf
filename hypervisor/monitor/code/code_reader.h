/* SPDX-License-Identifier: MIT */
/* Recognises functions that read memory and change none, such as atomic loads that the compiler did not inline. */
#ifndef HYPERVISOR_CODE_READER_H
#define HYPERVISOR_CODE_READER_H

#include "code/code_map.h"
#include "code/code_steps.h"

#define CODE_READER_DEPTH 4 /**< depth of nested calls that is followed */

struct code_reader {
	struct code_map *map;
	uint64_t work; /**< number of instructions that may still be disassembled */
	struct code_steps steps[CODE_READER_DEPTH];
	struct code_recent recent;
};

/**
 * Whether the function at an address, and those that it calls, are small and store only to their stacks. A function
 * compiled without optimisation may also call unknown functions, such as one that ends the program. Sets *arguments to
 * the registers in which it takes arguments, as bits (disassembler.h).
 */
bool code_reader_is(struct code_reader *reader, uint64_t address, uint64_t *arguments);

#endif
