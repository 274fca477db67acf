/* SPDX-License-Identifier: MIT */
/* Disassembles single instructions, and reports which must not run unchanged, which may be moved, and where branches
 * lead. Uses Zydis, which is loaded only when there is something to disassemble: loading it takes longer than searching
 * a program for candidates. */
#ifndef HYPERVISOR_DISASSEMBLER_H
#define HYPERVISOR_DISASSEMBLER_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/cpu_model.h"
#include "base/error.h"

#define DISASSEMBLER_TEXT 96

/** Bits of instruction.flags. */
enum instruction_flag {
	INSTRUCTION_MOVABLE = 1,    /**< does the same at another address, and continues at the next instruction */
	INSTRUCTION_TARGET = 2,     /**< `target` is where it may jump, or the address that it takes */
	INSTRUCTION_INDIRECT = 4,   /**< a jump, not a call, to an address in a register or in a table in memory */
	INSTRUCTION_LANDING = 8,    /**< endbr64: unknown code may jump here */
	INSTRUCTION_REFERENCE = 16, /**< lea of `target`, which may be a table or a label */
	INSTRUCTION_ODD = 64,       /**< privileged or never used: bytes that contain it are not a program's code */
	INSTRUCTION_END = 128,      /**< does not continue at the next instruction: a jump, a return */
	INSTRUCTION_SETS_EAX = 32,  /**< mov of a constant to %eax or %rax */
	INSTRUCTION_MEMORY = 256,   /**< has a memory operand, by ModRM */
	INSTRUCTION_LEAVES =
		512, /**< a call, a system call or a trap: other code decides whether the next instruction runs */
	INSTRUCTION_APPROXIMATE = 1024,  /**< no vendor says which bits of its result are right, only how many */
	INSTRUCTION_INTEL_EXACT = 2048,  /**< as INSTRUCTION_APPROXIMATE for AMD; Intel publishes the exact results */
	INSTRUCTION_X87_FUNCTION = 4096, /**< a transcendental function of the x87 unit, approximate, too */
};

/** The flags of instructions whose results may differ between processors that have the instruction. */
#define INSTRUCTION_VARIES (INSTRUCTION_APPROXIMATE | INSTRUCTION_INTEL_EXACT | INSTRUCTION_X87_FUNCTION)

struct instruction {
	uint8_t length;
	uint8_t kind;        /**< enum trap_kind or code_kind (CODE_SYSCALL for each system call), or 0 */
	uint16_t flags;      /**< enum instruction_flag */
	uint8_t relative_at; /**< offset of its 4-byte displacement relative to the next instruction, when it would be
	                        INSTRUCTION_MOVABLE without it; else 0 */
	uint64_t target;
};

/** An instruction's memory operand. */
struct memory_operand {
	uint8_t packed[3]; /**< in the form of code_patch.operand */
	bool is_store;     /**< written to, and other threads may see it: neither on the stack nor relative to a segment
	                      base */
	bool is_load;      /**< only read, where other threads may see it, as above */
	bool is_update;    /**< also read before, at the operand's address, and at most 8 bytes */
};

/** Loads the library. Returns 0, or -ELIBACC with one line in *error if it is not installed. */
int disassembler_load(struct error *error);

/**
 * Disassembles the instruction at `bytes`, of which `left` are available, at `address` in the program. Returns its
 * length, or 0 if the bytes are not an instruction. The library must be loaded.
 */
unsigned disassemble(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction *instruction);

/** As disassemble(), which asks the library only for instructions that plain_instruction.h does not know. */
unsigned disassemble_fully(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction *instruction);

/**
 * Describes the memory operand of an instruction that has one. An operand that cannot be described gets CODE_UNKNOWN as
 * its base.
 */
void disassembler_operand(const uint8_t *bytes, uint64_t left, struct memory_operand *operand);

/**
 * Numbers of registers in a bit set: general registers by number (two are named here), vector registers, and others.
 */
#define USES_RSP 4
#define USES_RBP 5
#define USES_VECTOR 16 /**< number of the first of 32 */
#define USES_FLAGS 48
#define USES_OTHER 49 /**< any other */
#define USES_BIT(number) (1UL << (number))

/** What an instruction reads and writes, for following values from one instruction to the next. */
struct instruction_uses {
	uint64_t reads;     /**< registers read, except those used only for a memory address */
	uint64_t writes;    /**< registers written, also partly */
	uint64_t addresses; /**< registers used for its memory address */
	bool is_call;
	bool is_repeatable; /**< when repeated with the same operands, stores the value that is already there: xchg,
	                     * bts, or, ...
	                     */
	bool is_stack;      /**< its memory is at the stack pointer, by push, pop or a call */
	bool is_unknown;    /**< its memory is more than one place, or not where its operand says */
	bool reads_memory, writes_memory;
	uint8_t base, index; /**< of its memory operand: a register, CODE_NO_REGISTER, CODE_RIP or CODE_UNKNOWN */
	uint16_t bytes;
	int64_t displacement; /**< with CODE_RIP: the address in the program */
};

/** Reports what an instruction uses. Returns false if the bytes are not an instruction. */
bool disassembler_uses(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction_uses *uses);

/** As disassembler_uses(), which asks the library only for instructions that plain_instruction.h does not know. */
bool disassembler_uses_fully(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction_uses *uses);

/** What an instruction does besides changing general registers and flags. The sets of vector registers have two bits
 * for each of 16: its number for the lower 128 bits, and 16 more for the others. */
struct instruction_effect {
	uint64_t address;        /**< of the memory that it writes */
	uint64_t bytes;          /**< at most DISASSEMBLER_EFFECT_BYTES; 0: none */
	bool is_fs;              /**< `address` is relative to the FS base */
	uint32_t vector_reads;   /**< what its result depends on, or keeps */
	uint32_t vector_changes; /**< what it writes, also in part */
};

#define DISASSEMBLER_EFFECT_BYTES 32

/**
 * Whether an instruction changes only general and vector registers, flags and memory that is known beforehand, and
 * continues at the next instruction, at a target in its own bytes, or where a return leads. If so, sets *effect.
 * Rejects floating-point instructions, those with mask registers, some others, those that show the trap flag, and those
 * that leave the program. `registers` are in the order of struct engine_registers.
 */
bool disassembler_effect(const uint8_t *bytes, uint64_t left, const uint64_t registers[17],
                         struct instruction_effect *effect);

/** Writes the instruction as text; empty if the bytes are not an instruction, or the library cannot format it. */
void disassembler_format(const uint8_t *bytes, uint64_t left, uint64_t address, char text[DISASSEMBLER_TEXT]);

/**
 * Returns the mnemonic of an instruction, in the library's memory; empty if the bytes are not an instruction. The
 * library must be loaded.
 */
const char *disassembler_mnemonic(const uint8_t *bytes, uint64_t left);

#define EXTENSION_NAME 24

/** A set of instructions beyond x86-64-v2, which a program may execute on a processor that has it, even if its model
 * has not. */
struct instruction_extension {
	char name[EXTENSION_NAME]; /**< as "AVX512F", "SHA" */
	enum cpu_model model;      /**< the first that has it; CPU_MODELS: none */
};

/**
 * Whether an instruction is beyond x86-64-v2, and neither patched nor trapped. If so, sets *extension to its set. The
 * library must be loaded.
 */
bool disassembler_extension(const uint8_t *bytes, uint64_t left, struct instruction_extension *extension);

/** Returns the enum opcode_set (opcode_search.h) of a kind; 0 for kind 0. */
unsigned disassembler_set_of(uint8_t kind);

/** Whether an instruction is a jump, not a call, to an address that it contains. */
static inline bool instruction_is_jump(const struct instruction *in)
{
	return in->flags & INSTRUCTION_TARGET && !(in->flags & (INSTRUCTION_REFERENCE | INSTRUCTION_LEAVES));
}

#endif
