/* SPDX-License-Identifier: MIT */
/* A sequence of consecutive instructions, with the registers and memory that they use. */
#ifndef HYPERVISOR_CODE_STEPS_H
#define HYPERVISOR_CODE_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/code_function.h"
#include "scan/disassembler.h"

#define CODE_STEPS_MAX 256
#define CODE_STEPS_NONE SIZE_MAX
#define CODE_STEPS_BYTES (CODE_STEPS_MAX * 15UL) /* that many instructions are no longer */
#define CODE_RECENT_SLOTS 4096                   /* a power of two, above the size of the largest loop */

struct code_used {
	uint64_t address;
	struct instruction instruction;
	struct instruction_uses uses;
	bool is_joined; /**< a jump among the steps leads here, other than from directly before it */
	bool leaves_behind, leaves_by_jump; /**< the next instruction, or the jump's target, is not among the steps */
	bool has_uses;                      /**< `uses` is known */
	bool is_looked_up;                  /**< for a call: only_reads is known */
	bool only_reads;                    /**< the called function only reads (code_reader.h) */
};

struct code_steps {
	struct code_used at[CODE_STEPS_MAX];
	size_t count;
	uint64_t start, bytes;              /**< the code that was read */
	uint16_t step_of[CODE_STEPS_BYTES]; /**< for each byte the step that begins there, from 1 on, or 0 */
};

/**
 * Instructions that were disassembled lately, by the low bits of their addresses: loops are nested, and each one is
 * read from its start. All zero at first.
 */
struct code_recent {
	struct {
		const uint8_t *bytes; /**< NULL: none */
		uint64_t address;
		struct instruction instruction;
	} at[CODE_RECENT_SLOTS];
};

/**
 * Disassembles [start, end) of an area, where the last instruction must end at `end`, and subtracts 1 from *work for
 * each instruction, whether it is among the recent ones or not. Leaves `uses` undefined. Returns false if it does not
 * end there, or if there are too many instructions.
 */
bool code_steps_read(struct code_steps *steps, struct code_recent *recent, const struct code_area *area, uint64_t start,
                     uint64_t end, uint64_t *work);

/**
 * Removes the steps that are not in the loop from the first step to the last one, a jump back: steps that the first one
 * does not reach, and steps that do not reach the last one. Returns false if it is not a loop.
 */
bool code_steps_keep_loop(struct code_steps *steps);

/** Finds where jumps among the steps lead. */
void code_steps_join(struct code_steps *steps);

/** Finds what a step uses. Returns false if it cannot be decoded. */
bool code_steps_use(struct code_used *step, const struct code_area *area);

/** Whether an instruction is a direct jump, not a call. */
bool code_steps_is_jump(const struct instruction *in);

/** Whether memory is on the stack, judged by how it is addressed. */
bool code_steps_is_of_stack(const struct instruction_uses *uses);

#endif
