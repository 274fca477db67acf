/* SPDX-License-Identifier: MIT */
/* One function of a Linux program, disassembled, with the places in it that something may jump to. */
#ifndef HYPERVISOR_CODE_FUNCTION_H
#define HYPERVISOR_CODE_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scan/code_range.h"
#include "scan/disassembler.h"

/** A part of a file that is code. */
struct code_area {
	const uint8_t *bytes;
	uint64_t count;
	uint64_t address; /**< of the first byte in the program's memory, before relocation */
	uint64_t offset;  /**< of the first byte in the file */
	bool is_segment;  /**< a whole one: no section says that all of it is code */
};

struct code_step {
	uint64_t address;
	struct instruction instruction;
	bool is_reached; /**< from where the function begins, by its flow; else it only looks like an instruction */
};

/** What is known of a byte of a function. */
enum code_byte {
	CODE_BYTE_UNKNOWN,
	CODE_BYTE_BEGINS, /**< a step begins here, maybe inside another one */
	CODE_BYTE_INSIDE, /**< a step's */
	CODE_BYTE_DATA,   /**< it can be no instruction's that agrees with the others */
};

/** A stack of offsets. */
struct code_places {
	uint64_t *at;
	size_t count, room;
};

/** All zero at first; what it holds is used again for the next function. */
struct code_function {
	uint64_t start, end; /**< addresses */
	bool is_whole;       /**< no bytes of it are known to be no code */
	unsigned indirect;   /**< jumps of which it is not known where they lead */
	struct code_step *steps;
	size_t count, room;
	uint64_t *labels; /**< sorted addresses in the function, or anywhere, that it refers to or that are endbr64 */
	size_t label_count, label_room;
	/* Of code_flow.h: */
	uint8_t *bytes; /**< enum code_byte of each */
	size_t byte_room;
	uint64_t work; /**< so many instructions more are disassembled */
	struct code_places sure, likely,
		doubtful; /**< where flow goes on: where jumps lead, behind them, behind calls */
};

/**
 * Disassembles [range.address, + range.bytes), clipped to the area that it begins in: what is reached from its begin,
 * and then, from where that ends, what looks like instructions and agrees with it. Steps ascend and are apart: of two
 * that share bytes the first is there. 0 or -ENOMEM.
 */
int code_function_read(struct code_function *function, const struct code_area *area, const struct code_range *range);

/** The same of nothing but what is reached from an address of the area. */
int code_function_follow(struct code_function *function, const struct code_area *area, uint64_t address);

/** The step that a byte is of, or NULL. */
const struct code_step *code_function_step_at(const struct code_function *function, uint64_t address);

/** Whether nothing lies between a step, which is not the last one, and the next. */
static inline bool code_function_goes_on(const struct code_function *function, size_t step)
{
	const struct code_step *s = &function->steps[step];
	return s->address + s->instruction.length == s[1].address;
}

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
