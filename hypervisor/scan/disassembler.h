/* SPDX-License-Identifier: MIT */
/* Instructions one by one, with what matters of them here: which must not run as they are, which may be moved, and
 * where others lead. By Zydis, which is loaded only when there is something to disassemble, because loading it takes
 * longer than to search a program for what could have to be. */
#ifndef HYPERVISOR_DISASSEMBLER_H
#define HYPERVISOR_DISASSEMBLER_H

#include <stdbool.h>
#include <stdint.h>

#define DISASSEMBLER_TEXT 96

/** In instruction.flags. */
enum instruction_flag {
	INSTRUCTION_MOVABLE = 1,    /**< does the same at another address, and goes on behind it */
	INSTRUCTION_TARGET = 2,     /**< `target` is where it may go on, or what it takes the address of */
	INSTRUCTION_INDIRECT = 4,   /**< a jump (no call) to where a register or a table in memory says */
	INSTRUCTION_LANDING = 8,    /**< endbr64: somebody may come here who is not known */
	INSTRUCTION_REFERENCE = 16, /**< lea of `target`: maybe a table's or a label's address is taken */
	INSTRUCTION_ODD = 64,       /**< of the kernel, or never used: bytes that contain it are no program's */
	INSTRUCTION_END = 128,      /**< it does not go on behind itself: a jump, a return */
	INSTRUCTION_SETS_EAX = 32,  /**< mov of a constant to %eax or %rax */
	INSTRUCTION_MEMORY = 256,   /**< it has an operand in memory, by ModRM */
	INSTRUCTION_LEAVES =
		512, /**< a call, a system call or a trap: others decide whether it goes on behind itself */
};

struct instruction {
	uint8_t length;
	uint8_t kind;   /**< enum trap_kind or code_kind (CODE_SYSCALL for each system call), or 0 */
	uint16_t flags; /**< enum instruction_flag */
	uint64_t target;
};

/** An instruction's operand in memory. */
struct memory_operand {
	uint8_t packed[3]; /**< as code_patch.operand */
	bool is_store;     /**< written to, and it may be memory of other threads: not the stack, and no segment's */
	bool is_update;    /**< read before that, at its own address, and of 8 bytes at the most */
};

/** Loads the library. 0, or -ELIBACC with one line in error[] when it is not installed. */
int disassembler_load(char error[256]);

/**
 * Disassembles the instruction at `bytes`, of which `left` are there, and which stand at `address`. Returns its length,
 * or 0 when they are no instruction. The library must be loaded.
 */
unsigned disassemble(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction *instruction);

/** Looks at the operand in memory of an instruction that has one; of one that it cannot tell of, nothing is known. */
void disassembler_operand(const uint8_t *bytes, uint64_t left, struct memory_operand *operand);

/** Registers as bits: general ones by number, of which here are two, vector ones, and others: */
#define USES_RSP 4
#define USES_RBP 5
#define USES_VECTOR 16 /**< number of the first of 32 */
#define USES_FLAGS 48
#define USES_OTHER 49 /**< any other */
#define USES_BIT(number) (1UL << (number))

/** What an instruction reads and writes, for who follows values from one to the next. */
struct instruction_uses {
	uint64_t reads;     /**< registers, but for those that only an address in memory is made of */
	uint64_t writes;    /**< registers, a part of one, too */
	uint64_t addresses; /**< registers that the address of its memory is made of */
	bool is_call;
	bool is_repeatable; /**< done again with the same operands it stores what is there already: xchg, bts, or, ...
	                     */
	bool is_stack;      /**< its memory is where the stack pointer says, by push, pop or a call */
	bool is_unknown;    /**< its memory is more than one place, or elsewhere than its operand says */
	bool reads_memory, writes_memory;
	uint8_t base, index; /**< of its memory: a register, or CODE_NO_REGISTER, CODE_RIP, CODE_UNKNOWN */
	uint16_t bytes;
	int64_t displacement; /**< with CODE_RIP: the address in the program */
};

/** Tells what an instruction uses. False when it is none. */
bool disassembler_uses(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction_uses *uses);

/** Bytes of memory that an instruction writes to; `bytes` 0: none. */
struct memory_effect {
	uint64_t address;
	uint64_t bytes; /**< at most DISASSEMBLER_EFFECT_BYTES */
};

#define DISASSEMBLER_EFFECT_BYTES 8

/**
 * Whether all that an instruction changes are general registers, flags and memory that can be told beforehand, and it
 * goes on behind itself, where its own bytes say, or where a return leads. Refused are most that are not of integers,
 * and those that tell of the trap flag or leave the program. `registers` are in the order of struct engine_registers.
 */
bool disassembler_effect(const uint8_t *bytes, uint64_t left, const uint64_t registers[17],
                         struct memory_effect *effect);

/** Writes the instruction as text, empty when it is none or the library cannot. */
void disassembler_format(const uint8_t *bytes, uint64_t left, uint64_t address, char text[DISASSEMBLER_TEXT]);

/** Which of enum opcode_set (opcode_search.h) a kind belongs to; 0 for 0. */
unsigned disassembler_set_of(uint8_t kind);

/** What disassemblies from places before an offset say of it; those that come upon what is no code say nothing. */
struct disassembler_vote {
	unsigned asked;                 /**< how many there were */
	unsigned yes;                   /**< an instruction of the set is there */
	unsigned no;                    /**< other bytes than its begin an instruction, or it is a part of one */
	struct instruction instruction; /**< the one that `yes` is about: the first that was found */
	uint64_t offset;                /**< where it begins, prefixes and all */
	bool goes_on;                   /**< what follows it looks like code, too */
	unsigned numbers;               /**< how many of `yes` came by way of a mov to %eax directly before */
	uint8_t number_bytes;           /**< the length of that mov */
};

/**
 * Whether the instruction at an offset may be one of a program's: what follows it looks like code, up to where flow
 * ends or somebody else decides whether it goes on. Zeros are none.
 */
bool disassembler_goes_on(const uint8_t *bytes, uint64_t count, uint64_t address, uint64_t offset);

/**
 * Judges whether bytes are an instruction of a set (enum opcode_set), of which it is not known whether they are code:
 * disassembles from each of the places [from, offset), the nearest ones left out. Who is out of step falls into step
 * with the right instructions after a few of them. With OPCODE_RAW zeros say nothing, and what stands behind many of
 * them, aligned, is where code begins, so that it is the first place that is asked.
 */
void disassembler_ask(const uint8_t *bytes, uint64_t count, uint64_t address, uint64_t from, uint64_t offset,
                      unsigned set, struct disassembler_vote *vote);

#endif
