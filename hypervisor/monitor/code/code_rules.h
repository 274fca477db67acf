/* SPDX-License-Identifier: MIT */
/* Rules by which a `syscall` of two bytes becomes a jump of five. The jump leads to a stub with the replaced
 * instructions. So these must do the same at another address, and no code may jump into the middle of them:
 *
 *  A   a `mov $number, %eax` of 5 bytes or more comes before: it is replaced, and the syscall stays;
 *  A2  any other movable instruction of 5 bytes or more comes before: it is replaced, and the syscall stays;
 *  B   the syscall and movable instructions after it are replaced;
 *  C   movable instructions before it are replaced; if they are too short, also the syscall, and then some after it.
 *
 * If no rule fits, they are tried again with instructions of which one may have a memory operand relative to its
 * address: the stub has it with another displacement.
 *
 * A and A2 replace one instruction, so only a jump into the middle of an instruction could do harm. Compilers do not
 * make such jumps, and the function is searched for them. B and C replace several instructions, so all places that code
 * may jump to must be known. These are the targets of branches in the function and anywhere else, its landing pads,
 * addresses that are taken, endbr64, and the tables of its indirect jumps. If an indirect jump is not understood, or
 * the function is not code to its end, only A and A2 are possible. If the function around a syscall is unknown, only A
 * is possible. */
#ifndef HYPERVISOR_CODE_RULES_H
#define HYPERVISOR_CODE_RULES_H

#include "abi/code.h"
#include "code/code_function.h"

/**
 * Values of code_patch.reason, for a system call and other instructions that become a jump: the rule by which it is
 * patched, or why it is not.
 */
enum code_reason {
	CODE_REASON_NONE, /**< for other kinds */
	CODE_REASON_A,
	CODE_REASON_A2,
	CODE_REASON_B,
	CODE_REASON_C,
	CODE_REASON_ALONE,     /**< a decision point that itself has room for the jump */
	CODE_REASON_NO_ROOM,   /**< too few bytes around it can be moved */
	CODE_REASON_ENTERED,   /**< code jumps between the bytes that would be replaced */
	CODE_REASON_INDIRECT,  /**< code could jump there: an indirect jump is not understood */
	CODE_REASON_OUTSIDE,   /**< it is in no known function */
	CODE_REASON_SIGRETURN, /**< it ends a signal handler, and debuggers and unwinders know it by its bytes */
};

/** Knowledge about the surroundings of the function. */
struct code_surroundings {
	/**
	 * Whether code outside the function jumps to an address after `from` and before `to`. Returns 1, 0 or a
	 * negative errno.
	 */
	int (*is_entered)(void *context, uint64_t from, uint64_t to);
	void *context;
	bool is_unknown; /**< jumps in the function may lead anywhere in it */
	uint64_t floor;  /**< lowest address that this patch may use; bytes before it belong to another patch */
	unsigned set; /**< enum opcode_set: instructions that become patches of their own and cannot be part of another
	               */
};

/**
 * Chooses the rule for the `syscall` at a step of the function. Sets kind, reason, before and after of the patch, and
 * moves its offset from the syscall to the place of the jump. Returns 0 or a negative errno.
 */
int code_rules_choose(struct code_function *function, size_t step, const struct code_surroundings *around,
                      struct code_patch *patch);

/**
 * Chooses the rule for a decision point, an instruction of any length, which must be among the replaced ones; code may
 * jump to it. If it has no room, it gets CODE_TRAPS. Returns 0 or a negative errno.
 */
int code_rules_choose_point(struct code_function *function, size_t step, const struct code_surroundings *around,
                            struct code_patch *patch);

/**
 * Chooses the rule for an instruction that is emulated and has a kind of code_jump_of. It keeps its enum trap_kind if
 * it has no room within its page. Returns 0 or a negative errno.
 */
int code_rules_choose_emulated(struct code_function *function, size_t step, const struct code_surroundings *around,
                               struct code_patch *patch);

/** Returns the text of a reason. */
const char *code_rules_text(uint8_t reason);

#endif
