/* SPDX-License-Identifier: MIT */
/* How a `syscall` of two bytes becomes a jump of five. The jump goes to a stub that consists of what it replaces, so
 * what it replaces must do the same elsewhere, and nobody may jump into its midst:
 *
 *  A   a `mov $number, %eax` of 5 bytes or more stands before: it is replaced, and the syscall stays;
 *  A2  the same with any other instruction that may be moved;
 *  B   the syscall and movable instructions behind it are replaced;
 *  C   movable instructions before it, with the syscall where they alone are not enough, and then some behind it.
 *
 * A and A2 replace one instruction, so that only a jump into the midst of an instruction could do harm, which compilers
 * do not make and which is looked for in the function. B and C replace several. For these all places must be known that
 * something may jump to: the targets of the function's own branches and of branches anywhere else, its landing pads,
 * addresses that are taken, endbr64, and the tables of its indirect jumps; if one of these jumps is not understood, or
 * the function is not code to its end, then only A and A2 are left. Where it is not known which function a syscall is
 * in, only A is left. */
#ifndef HYPERVISOR_CODE_RULES_H
#define HYPERVISOR_CODE_RULES_H

#include "abi/code.h"
#include "code/code_function.h"

/** In code_patch.reason of a system call, and of others that become a jump: by which rule it is patched, or why it is
 * not. */
enum code_reason {
	CODE_REASON_NONE, /**< of other kinds */
	CODE_REASON_A,
	CODE_REASON_A2,
	CODE_REASON_B,
	CODE_REASON_C,
	CODE_REASON_ALONE,     /**< of a decision point: it has room for the jump */
	CODE_REASON_NO_ROOM,   /**< too little around it may be moved */
	CODE_REASON_ENTERED,   /**< something jumps between the bytes that would be replaced */
	CODE_REASON_INDIRECT,  /**< something could jump there: an indirect jump is not understood */
	CODE_REASON_OUTSIDE,   /**< it is in no known function */
	CODE_REASON_SIGRETURN, /**< it ends a signal handler, and debuggers and unwinders know it by its bytes */
};

/** What is known beyond the function. */
struct code_surroundings {
	/** Whether something outside of the function jumps behind `from` and before `to`. 1, 0 or a negative errno. */
	int (*is_entered)(void *context, uint64_t from, uint64_t to);
	void *context;
	bool is_unknown; /**< jumps in the function may lead anywhere in it */
	uint64_t floor;  /**< address: what is before is another patch's */
	unsigned set;    /**< enum opcode_set: what becomes a patch of its own and cannot be part of another */
};

/**
 * Chooses for the `syscall` that is a step of the function: sets kind, reason, before and after of the patch, and moves
 * its offset, that of the syscall, to where the jump is to be. 0 or a negative errno.
 */
int code_rules_choose(const struct code_function *function, size_t step, const struct code_surroundings *around,
                      struct code_patch *patch);

/**
 * The same for a decision point, an instruction of any length, which must become part of what is replaced: it may be
 * jumped to itself. If it has no room, it gets CODE_TRAPS.
 */
int code_rules_choose_point(const struct code_function *function, size_t step, const struct code_surroundings *around,
                            struct code_patch *patch);

/** The same for a `cpuid`: kind CODE_CPUID, or, if it has no room within its page, TRAP_CPUID. */
int code_rules_choose_cpuid(const struct code_function *function, size_t step, const struct code_surroundings *around,
                            struct code_patch *patch);

/** The reason in words. */
const char *code_rules_text(uint8_t reason);

#endif
