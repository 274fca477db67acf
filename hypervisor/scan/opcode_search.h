/* SPDX-License-Identifier: MIT */
/* Searches bytes for what could be one of the instructions that must not run as they are. It reads the bytes once and
 * disassembles nothing: most of what is searched contains none. */
#ifndef HYPERVISOR_OPCODE_SEARCH_H
#define HYPERVISOR_OPCODE_SEARCH_H

#include <stdint.h>

/** What to look for; together by |. */
enum opcode_set {
	OPCODE_TRAPS = 1,   /**< those of enum trap_kind (abi/boot.h): where their 0x0f or 0xc7 is, behind prefixes */
	OPCODE_SYSCALL = 2, /**< where its 0x0f is */
	OPCODE_PAUSE = 4,   /**< where its 0x90 is, directly behind 0xf3 */
	OPCODE_ATOMIC = 8,  /**< where its lock prefix is, or the opcode of an xchg */
	OPCODE_STORE = 16,  /**< what stores: not found by searching (code_stores.h) */
	OPCODE_WAIT = 64,   /**< a loop that waits: not found by searching (code_waits.h) */
	OPCODE_RARE = 128, /**< not searched for: those of OPCODE_TRAPS that programs do without count in a vote, too */
	OPCODE_RAW = 32,   /**< not searched for: the bytes are memory, in which data may lie beside code */
};

/** What becomes a decision point. */
#define OPCODE_POINTS (OPCODE_ATOMIC | OPCODE_STORE | OPCODE_WAIT)

/**
 * Calls visit for the offset of each place that could begin such an opcode, in ascending order, until it returns
 * non-zero, which is returned; 0 at the end.
 */
int opcode_search(const uint8_t *bytes, uint64_t count, unsigned set, int (*visit)(void *context, uint64_t offset),
                  void *context);

#endif
