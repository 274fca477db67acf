/* SPDX-License-Identifier: MIT */
/* Instructions that stand one behind the other, with what they use. */
#ifndef HYPERVISOR_CODE_STEPS_H
#define HYPERVISOR_CODE_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/code_function.h"
#include "scan/disassembler.h"

#define CODE_STEPS_MAX 256
#define CODE_STEPS_NONE SIZE_MAX

struct code_used {
	uint64_t address;
	struct instruction instruction;
	struct instruction_uses uses;
	bool is_joined; /**< a jump among the steps leads here, from elsewhere than right before it */
	bool leaves_behind, leaves_by_jump; /**< going on behind it, or where it leads, is no more among the steps */
	bool is_looked_up;                  /**< a call: it is known whether the function only reads */
	bool only_reads;                    /**< it does (code_reader.h) */
};

struct code_steps {
	struct code_used at[CODE_STEPS_MAX];
	size_t count;
};

/**
 * Disassembles [start, end) of an area, which must come to its end, and takes one from *work for each instruction.
 * False: it does not, or is too much.
 */
bool code_steps_read(struct code_steps *steps, const struct code_area *area, uint64_t start, uint64_t end,
                     uint64_t *work);

/**
 * Leaves out what is not of the loop that goes from the first step to the last one, a jump back: what cannot be come to
 * from there, and from what one cannot come there. False: it is no loop.
 */
bool code_steps_keep_loop(struct code_steps *steps);

/** Finds out what they use, and where jumps among them lead. False: one is none. */
bool code_steps_use(struct code_steps *steps, const struct code_area *area);

/** The number of the step that stands at an address, or CODE_STEPS_NONE. */
size_t code_steps_find(const struct code_steps *steps, uint64_t address);

/** Whether an instruction is a jump, not a call, to where its bytes say. */
bool code_steps_is_jump(const struct instruction *in);

/** Whether memory is of the stack, by how it is addressed. */
bool code_steps_is_of_stack(const struct instruction_uses *uses);

#endif
