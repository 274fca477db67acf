/* SPDX-License-Identifier: MIT */
/* Searches bytes for candidates of instructions that must not run unchanged. It reads the bytes once and disassembles
 * nothing, because most code contains none. */
#ifndef HYPERVISOR_OPCODE_SEARCH_H
#define HYPERVISOR_OPCODE_SEARCH_H

#include <stdint.h>

/** What to search for; combined with |. */
enum opcode_set {
	OPCODE_TRAPS = 1,    /**< instructions of enum trap_kind (abi/boot.h), at their 0x0f or 0xc7, after prefixes */
	OPCODE_SYSCALL = 2,  /**< a system call, at its 0x0f */
	OPCODE_PAUSE = 4,    /**< `pause`, at its 0x90, directly after 0xf3 */
	OPCODE_ATOMIC = 8,   /**< an atomic instruction, at its lock prefix or at the opcode of an xchg */
	OPCODE_STORE = 16,   /**< a store; not found by searching (code_stores.h) */
	OPCODE_WAIT = 64,    /**< a loop that waits; not found by searching (code_waits.h) */
	OPCODE_VARIES = 256, /**< an instruction of INSTRUCTION_VARIES (disassembler.h), at its opcode after legacy
	                      * prefixes, or at its VEX or EVEX prefix */
	OPCODE_TICK = 512,   /**< a place that counts time; not found by searching (ticks/tick_plan.h) */
	OPCODE_RARE = 128,   /**< not searched for: rare instructions of OPCODE_TRAPS also count in a vote */
	OPCODE_RAW = 32,     /**< not searched for: the bytes are memory, which may have data beside code */
};

/** Sets that become decision points. */
#define OPCODE_POINTS (OPCODE_ATOMIC | OPCODE_STORE | OPCODE_WAIT)

/**
 * Calls `visit` with the offset of each candidate opcode, in ascending order, until it returns non-zero. Returns that
 * value, or 0 at the end.
 */
int opcode_search(const uint8_t *bytes, uint64_t count, unsigned set, int (*visit)(void *context, uint64_t offset),
                  void *context);

#endif
