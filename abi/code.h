/* SPDX-License-Identifier: MIT */
/* What the kernel has the monitor find in a Linux program's code: system calls and instructions that must not run as
 * they are. The monitor disassembles (hypervisor/code/code_scan.h), the kernel patches (kernel/linux/patch/patch.h). */
#ifndef ABI_CODE_H
#define ABI_CODE_H

#include <stdint.h>

#include "abi/boot.h"

/** In code_patch.kind beside enum trap_kind. */
enum code_kind {
	CODE_SYSCALL = 0x40, /**< a `syscall` that can become a jump: the rules are at struct code_patch */
	CODE_SYSCALL_TRAP,   /**< a `syscall` that stays as it is and traps, because no rule fits */
	CODE_PAUSE,          /**< `pause`, two bytes */
	CODE_UNDECIDED,      /**< with CODE_RAW: bytes of which nobody can tell whether they are of enum trap_kind */
	/* Decision points, as --preempt wants them. */
	CODE_ATOMIC,   /**< a locked instruction, or xchg with memory */
	CODE_STORE,    /**< an instruction that stores */
	CODE_UPDATE,   /**< one that loads and stores, and is not locked */
	CODE_CPUID,    /**< a `cpuid` that can become a jump; others are TRAP_CPUID */
	CODE_SEED,     /**< no code: a variable of abi/constant_seeds.h in the file's data, aligned */
	CODE_UNLIKELY, /**< with CODE_RAW: as CODE_UNDECIDED, but all that can be seen says that they are not */
	CODE_WAIT,     /**< a decision point without --preempt: in a loop that counts while it waits */
};

/** Bytes of an instruction at the most (SDM 2A, 2.3.11). */
#define CODE_INSTRUCTION_MAX 15U

#define CODE_RAW 2U /**< code_request.flags: not an ELF file but memory: no unwind tables tell where its code is */

/** A part of the file, in order. Address CODE_HOLE: zeros that have no memory. */
struct code_piece {
	uint64_t address; /**< guest-physical */
	uint64_t bytes;
};

#define CODE_HOLE UINT64_MAX
#define CODE_PIECES_MAX 65536

/** DOORBELL_CODE's argument. */
struct code_request {
	uint64_t pieces; /**< guest-physical address of struct code_piece[] that make up the whole file */
	uint64_t piece_count;
	uint64_t patches;     /**< guest-physical address of struct code_patch[], which the monitor fills */
	uint64_t patches_max; /**< there is room for so many; if it is not enough, the answer is larger */
	uint32_t flags;
	uint32_t entry; /**< with CODE_RAW: 1 more than where an instruction is that is executed, in bytes; 0: not known
	                 */
};

/* In code_patch.operand[0] to [2] of a decision point: what its operand in memory is made of, and CODE_TRAPS. */
#define CODE_BASE(operand) ((operand)[0] & 31)      /**< register 0 to 15 as it is encoded, or one of these: */
#define CODE_NO_REGISTER 16                         /**< none */
#define CODE_RIP 17                                 /**< the address of the next instruction */
#define CODE_UNKNOWN 31                             /**< nothing is said of the operand */
#define CODE_SCALE(operand) ((operand)[0] >> 5 & 3) /**< log2 of the factor of the index */
#define CODE_TRAPS 0x80                             /**< in operand[0]: it traps, for want of room for a jump */
#define CODE_INDEX(operand) ((operand)[1] & 31)     /**< 0 to 15, or CODE_NO_REGISTER */
#define CODE_DISPLACEMENT_BYTES(operand) ((operand)[1] >> 5) /**< 0, 1 or 4 */
#define CODE_DISPLACEMENT_AT(operand) ((operand)[2] & 15)    /**< where in the instruction it stands */
#define CODE_UNSURE 0x80 /**< in operand[2] of CODE_WAIT: the loop may itself change what it looks at */
#define CODE_OPERAND_BYTES(operand) (1U << ((operand)[2] >> 4 & 7))

/**
 * One instruction. For CODE_SYSCALL, `before` bytes of whole instructions from `offset` on, the syscall, and `after`
 * bytes of whole instructions behind it are what a stub consists of, none of which depends on its address. The site
 * becomes a jump of 5 bytes at `offset`, and it fits: before >= 5 (the syscall stays and may be jumped to), or
 * before + 2 + after >= 5 and no known branch leads behind the first of these bytes. Decision points and `cpuid` are
 * alike, but that the instruction itself is replaced always, and that of `cpuid` all lies in one page. A decision
 * point's operand may be relative to its address. With CODE_TRAPS its first byte traps, and before and after are 0.
 */
struct code_patch {
	uint64_t offset; /**< in the file, ascending and without overlap but for what is doubtful in an instruction */
	uint8_t kind;    /**< enum code_kind or enum trap_kind */
	uint8_t length;  /**< of the instruction itself */
	uint8_t before, after;
	uint8_t reason;     /**< of a system call, for people: enum code_reason (hypervisor/code/code_rules.h); of a
	                     * CODE_SEED enum constant_seed */
	uint8_t operand[3]; /**< of decision points, else 0 */
};

_Static_assert(sizeof(struct code_piece) == 16, "code_piece");
_Static_assert(sizeof(struct code_request) == 40, "code_request");
_Static_assert(sizeof(struct code_patch) == 16, "code_patch");

#endif
