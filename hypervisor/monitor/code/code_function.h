/* SPDX-License-Identifier: MIT */
/* One disassembled function of a Linux program, with its labels, that is, places that code may jump to. */
#ifndef HYPERVISOR_CODE_FUNCTION_H
#define HYPERVISOR_CODE_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scan/code_range.h"
#include "scan/disassembler.h"

/** A part of a file that contains code. */
struct code_area {
	const uint8_t *bytes;
	uint64_t count;
	uint64_t address; /**< address of the first byte in the program's memory, before relocation */
	uint64_t offset;  /**< offset of the first byte in the file */
	bool is_segment;  /**< a whole segment, which may also contain data: no section says that all of it is code */
};

struct code_step {
	uint64_t address;
	struct instruction instruction;
	bool is_reached; /**< control flow reaches it from the function's start; otherwise it only looks like an
	                    instruction */
};

/** Knowledge about a byte of a function. */
enum code_byte {
	CODE_BYTE_UNKNOWN,
	CODE_BYTE_BEGINS, /**< a step begins here, possibly inside another one */
	CODE_BYTE_INSIDE, /**< inside a step */
	CODE_BYTE_DATA,   /**< cannot belong to an instruction that agrees with the others */
};

/** A stack of offsets. */
struct code_places {
	uint64_t *at;
	size_t count, room;
};

/** All zero at first; its memory is reused for the next function. */
struct code_function {
	uint64_t start, end; /**< addresses */
	bool is_whole;       /**< no byte of it is known to be data */
	unsigned indirect;   /**< number of jumps with unknown targets */
	struct code_step *steps;
	size_t count, room;
	uint64_t *labels; /**< addresses, also outside the function, that it refers to, or that are endbr64 */
	bool is_sorted;   /**< the labels are in order */
	size_t label_count, label_room;
	struct code_step *sorted; /**< room to sort the steps */
	size_t sorted_room;
	uint32_t *order; /**< the index of the step that begins at each byte */
	size_t order_room;
	/* Fields of code_flow.h: */
	uint8_t *bytes; /**< enum code_byte of each byte */
	size_t byte_room;
	uint64_t work; /**< number of instructions that may still be disassembled */
	struct code_places sure, likely,
		doubtful; /**< places where flow continues: targets of jumps, after jumps, after calls */
};

/**
 * Disassembles the range, clipped to the area. First takes the instructions that are reached from its start, then bytes
 * that look like instructions and agree with these. Steps are ascending and do not overlap: of two that share bytes,
 * the first is kept. Returns 0 or -ENOMEM.
 */
int code_function_read(struct code_function *function, const struct code_area *area, const struct code_range *range);

/** Disassembles only the instructions that are reached from an address of the area. Returns 0 or -ENOMEM. */
int code_function_follow(struct code_function *function, const struct code_area *area, uint64_t address);

/** Returns the step that contains the byte at an address, or NULL. */
const struct code_step *code_function_step_at(const struct code_function *function, uint64_t address);

/** Whether a step, which is not the last one, is directly followed by the next. */
static inline bool code_function_goes_on(const struct code_function *function, size_t step)
{
	const struct code_step *s = &function->steps[step];
	return s->address + s->instruction.length == s[1].address;
}

/** Limit of labels from tables: tables with more are taken as invalid. */
#define CODE_LABELS_MAX (1UL << 20)

/** Adds a label from a table of the file. Returns 0, -ENOMEM, or -EINVAL if there are too many. */
int code_function_add_listed(struct code_function *function, uint64_t address);

/** Whether a label is after `from` and before `to`. */
bool code_function_is_entered(struct code_function *function, uint64_t from, uint64_t to);

/** Frees the memory of a function. */
void code_function_fini(struct code_function *function);

#endif
