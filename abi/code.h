/* SPDX-License-Identifier: MIT */
/* The monitor's search of a Linux program's code, for the kernel: it finds system calls, and instructions that must not
 * run unchanged. The monitor disassembles (hypervisor/monitor/code/code_scan.h), the kernel patches
 * (kernel/linux/patch/patch.h). */
#ifndef ABI_CODE_H
#define ABI_CODE_H

#include <stdint.h>

#include "abi/boot.h"

/** Values of code_patch.kind, in addition to enum trap_kind. */
enum code_kind {
	CODE_SYSCALL = 0x40, /**< a `syscall` that can become a jump; see struct code_patch for the rules */
	CODE_SYSCALL_TRAP,   /**< a `syscall` that stays and traps, because no rule fits */
	CODE_PAUSE,          /**< `pause`, two bytes */
	CODE_UNDECIDED,      /**< with CODE_RAW: bytes that may or may not be an instruction of enum trap_kind */
	/* Decision points, for --preempt. */
	CODE_ATOMIC,   /**< a locked instruction, or xchg with memory */
	CODE_STORE,    /**< an instruction that stores */
	CODE_UPDATE,   /**< an instruction that loads and stores without a lock */
	CODE_CPUID,    /**< a `cpuid` that can become a jump; other ones are TRAP_CPUID */
	CODE_SEED,     /**< not code: a variable of abi/constant_seeds.h in the file's data, aligned */
	CODE_UNLIKELY, /**< with CODE_RAW: as CODE_UNDECIDED, but all evidence is against such an instruction */
	CODE_WAIT,     /**< a decision point that exists also without --preempt: in a loop that counts while it waits */
	CODE_LOAD,     /**< a decision point: an instruction that loads and stores nothing */
	CODE_LOCKED,   /**< only inside the monitor: a CODE_ATOMIC that a list names; its patch is a CODE_ATOMIC */
	CODE_RDTSC,    /**< as CODE_CPUID */
	CODE_RDTSCP,
	CODE_XGETBV,
	CODE_TICK,       /**< for --clock work: a place at which time is counted, where the flags are not in use */
	CODE_TICK_FLAGS, /**< the same, where they may be in use */
	CODE_TICK_COUNT, /**< for --clock work: movs or stos with a repeat prefix, which is charged by its count */
	CODE_LOOP_PART,  /**< not patched: an instruction that changes when the loop around it is copied */
	CODE_LOOP,       /**< the same: the last one of the loop, which jumps to its head */
	CODE_TICK_LOOP,  /**< as CODE_TICK, but only if the loop around it is copied */
};

/** The kind of an instruction that is emulated, when it can become a jump; 0: it never does. */
static inline uint8_t code_jump_of(uint8_t kind)
{
	return kind == TRAP_CPUID    ? CODE_CPUID
	       : kind == TRAP_RDTSC  ? CODE_RDTSC
	       : kind == TRAP_RDTSCP ? CODE_RDTSCP
	       : kind == TRAP_XGETBV ? CODE_XGETBV
	                             : 0;
}

/** The reverse of code_jump_of: the enum trap_kind of an instruction that became a jump; 0 for other kinds. */
static inline uint8_t code_trap_of(uint8_t kind)
{
	return kind == CODE_CPUID    ? TRAP_CPUID
	       : kind == CODE_RDTSC  ? TRAP_RDTSC
	       : kind == CODE_RDTSCP ? TRAP_RDTSCP
	       : kind == CODE_XGETBV ? TRAP_XGETBV
	                             : 0;
}

/** Maximum length of an instruction in bytes (SDM 2A, 2.3.11). */
#define CODE_INSTRUCTION_MAX 15U

#define CODE_RAW \
	2U /**< code_request.flags: the pieces are memory, not an ELF file; no unwind tables say where code is */

/** A part of the file, in file order. Address CODE_HOLE: zeros without memory. */
struct code_piece {
	uint64_t address; /**< guest-physical */
	uint64_t bytes;
};

#define CODE_HOLE UINT64_MAX
#define CODE_PIECES_MAX 65536

/** DOORBELL_CODE's argument. */
struct code_request {
	uint64_t pieces; /**< guest-physical address of the struct code_piece[] that make up the whole file */
	uint64_t piece_count;
	uint64_t patches; /**< guest-physical address of struct code_patch[], which the monitor fills */
	uint64_t
		patches_max; /**< number of struct code_patch that fit; a larger answer means that some were left out */
	uint32_t flags;
	uint32_t entry; /**< with CODE_RAW: 1 + byte offset of an instruction that is executed; 0: not known */
};

/* code_patch.operand[0] to [2] of a decision point: the parts of its memory operand, and CODE_TRAPS. */
#define CODE_BASE(operand) ((operand)[0] & 31)      /**< encoded register 0 to 15, or one of the next three */
#define CODE_NO_REGISTER 16                         /**< none */
#define CODE_RIP 17                                 /**< the address of the next instruction */
#define CODE_UNKNOWN 31                             /**< the operand is not described */
#define CODE_SCALE(operand) ((operand)[0] >> 5 & 3) /**< log2 of the factor for the index */
#define CODE_TRAPS 0x80 /**< in operand[0]: the instruction traps, because a jump does not fit */
#define CODE_INDEX(operand) ((operand)[1] & 31)              /**< 0 to 15, or CODE_NO_REGISTER */
#define CODE_DISPLACEMENT_BYTES(operand) ((operand)[1] >> 5) /**< 0, 1 or 4 */
#define CODE_DISPLACEMENT_AT(operand) ((operand)[2] & 15)    /**< its offset in the instruction */
#define CODE_UNSURE 0x80 /**< in operand[2] of CODE_WAIT: the loop may itself change the memory that it reads */
#define CODE_OPERAND_BYTES(operand) (1U << ((operand)[2] >> 4 & 7))

/** One instruction.
 *
 * CODE_SYSCALL: a stub consists of `before` bytes of whole instructions from `offset` on, the syscall, and `after`
 * bytes of whole instructions behind it. If operand[1] is 0, these instructions do not depend on
 * their addresses. Otherwise one does: its 4-byte displacement begins operand[0] bytes after `offset`, and the
 * instruction ends operand[1] bytes after the displacement's start. A jump of 5 bytes at `offset` replaces them. The
 * jump fits in two cases: before >= 5 (the syscall stays and may be jumped to), or before + 2 + after >= 5 and no known
 * branch leads to any of these bytes but the first.
 *
 * Decision points and the kinds of code_jump_of follow the same rules, except that the instruction itself is always
 * replaced, and that all bytes of a patch of code_jump_of are in one page. A decision point's operand may be relative
 * to its address. With CODE_TRAPS its first byte traps, and before and after are 0.
 *
 * CODE_TICK and CODE_TICK_FLAGS: the time is counted before the instruction at `offset`; `before` is 0. The instruction
 * and those after it move into the stub. operand[0] and [1] are as those of CODE_SYSCALL. All bytes are in one page.
 *
 * CODE_TICK_LOOP: as CODE_TICK, but it may have one conditional jump, whose displacement begins operand[0] bytes after
 * `offset` and has operand[1] bytes, 1 or 4. If the loop is not copied, nothing is replaced.
 *
 * CODE_TICK_COUNT: an instruction that `rep` repeats. As these, but `before` bytes may precede it, and code_ticks has
 * the price of one repetition, a power of two of parts of a tick (CODE_TICK_PARTS). The price of all repetitions
 * together is rounded down to whole ticks.
 *
 * CODE_LOOP: a jump at the end of a loop that may be copied as a whole into the stub of the CODE_TICK,
 * CODE_TICK_FLAGS or CODE_TICK_LOOP in it; code_loop_bytes() are the bytes of the loop, up to its own end, at most
 * CODE_LOOP_BYTES_MAX in one page. Between the site and this are only CODE_LOOP_PART, and before the site there may be
 * some, too: all other instructions of the loop whose displacements change, but for that in the site's bytes. The
 * displacement begins at operand[0] in the instruction and has operand[1] bytes, 1 or 4; operand[2] has CODE_LOOP_JUMP
 * if it is that of a jump. No jump leads into the site behind its first byte. `reason` of CODE_LOOP is the number of
 * all these, with itself; if there are others, the loop is not copied. */
struct code_patch {
	uint64_t offset; /**< in the file; ascending, without overlap except for doubtful bytes inside an instruction */
	uint8_t kind;    /**< enum code_kind or enum trap_kind */
	uint8_t length;  /**< of the instruction itself */
	uint8_t before, after;
	uint8_t reason; /**< for reports: of a system call, enum code_reason (hypervisor/monitor/code/code_rules.h); of
	                   a CODE_SEED, enum constant_seed; of code_is_tick, see code_ticks */
	uint8_t operand[3]; /**< of decision points; of jumps, see above; else 0 */
};

/** Whether a patch of a kind counts time. */
static inline int code_is_tick(uint8_t kind)
{
	return kind == CODE_TICK || kind == CODE_TICK_FLAGS || kind == CODE_TICK_COUNT || kind == CODE_TICK_LOOP;
}

/** Limit of a loop that is copied, in bytes: the branches of the copy have displacements of one byte. */
#define CODE_LOOP_BYTES_MAX 96U

/** In operand[2] of CODE_LOOP and CODE_LOOP_PART: the instruction is a jump. */
#define CODE_LOOP_JUMP 1

/** The bytes of the loop of a CODE_LOOP, which are in operand[2], too. */
static inline unsigned code_loop_bytes(const struct code_patch *patch)
{
	return patch->operand[2] >> 1;
}

/** The parts of a tick in which CODE_TICK_COUNT has its price. */
#define CODE_TICK_PARTS 256U

/** Limit of a price in ticks (abi/ticks.h). */
#define CODE_TICKS_MAX 0xffffU

/** The price of a patch of code_is_tick: in ticks, or for CODE_TICK_COUNT in parts of a tick for each repetition. */
static inline unsigned code_ticks(const struct code_patch *patch)
{
	return patch->operand[2] | (unsigned)patch->reason << 8;
}

/** Sets it. */
static inline void code_set_ticks(struct code_patch *patch, unsigned ticks)
{
	patch->operand[2] = (uint8_t)ticks;
	patch->reason = (uint8_t)(ticks >> 8);
}

_Static_assert(sizeof(struct code_piece) == 16, "code_piece");
_Static_assert(sizeof(struct code_request) == 40, "code_request");
_Static_assert(sizeof(struct code_patch) == 16, "code_patch");

#endif
