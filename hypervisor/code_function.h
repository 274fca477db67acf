/* SPDX-License-Identifier: MIT */
/* One function of a Linux program, disassembled from its start to its end, with the places in it that something may
 * jump to. */
#ifndef HYPERVISOR_CODE_FUNCTION_H
#define HYPERVISOR_CODE_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code_range.h"
#include "disassembler.h"

/** A part of a file that is code. */
struct code_area {
	const uint8_t *bytes;
	uint64_t count;
	uint64_t address; /**< of the first byte in the program's memory, before relocation */
	uint64_t offset;  /**< of the first byte in the file */
};

struct code_step {
	uint64_t address;
	struct instruction instruction;
};

/** All zero at first; what it holds is used again for the next function. */
struct code_function {
	uint64_t start, end; /**< addresses; end is where disassembly came to */
	bool is_whole;       /**< that is the end of the function: no bytes of it are no code */
	unsigned indirect;   /**< jumps of which it is not known where they lead */
	struct code_step *steps;
	size_t count, room;
	uint64_t *labels; /**< sorted addresses in the function, or anywhere, that it refers to or that are endbr64 */
	size_t label_count, label_room;
};

/** Disassembles [range.address, + range.bytes), clipped to the area that it begins in. 0 or -ENOMEM. */
int code_function_read(struct code_function *function, const struct code_area *area, const struct code_range *range);

/** Adds a label; code_function_sort must follow. 0 or -ENOMEM. */
int code_function_add_label(struct code_function *function, uint64_t address);

/** More labels than this from tables are not believed. */
#define CODE_LABELS_MAX (1UL << 20)

/** Adds one that a table of the file gives. -EINVAL when there are too many. */
int code_function_add_listed(struct code_function *function, uint64_t address);

/** Sorts the labels after some were added. */
void code_function_sort(struct code_function *function);

/** Whether a label lies behind `from` and before `to`. */
bool code_function_is_entered(const struct code_function *function, uint64_t from, uint64_t to);

/** Frees what it holds. */
void code_function_fini(struct code_function *function);

#endif
