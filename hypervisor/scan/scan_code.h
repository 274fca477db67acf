/* SPDX-License-Identifier: MIT */
/* Finds the instructions in machine code whose results would be the host's: CPUID, RDTSC, RDTSCP, RDRAND, RDSEED,
 * RDPID, XGETBV, those about descriptor tables (LSL tells the processor's number), SYSENTER, and others that enum
 * trap_kind lists.
 *
 * Not looked for: RDPMC and privileged instructions, which fault in ring 3, as does INT n; XSAVE and its kin, AVX, TSX,
 * PKU and shadow stacks, which the processor model does not offer, and which the system libraries contain without using
 * them then; timed waits, whose results do not reach a register. */
#ifndef HYPERVISOR_SCAN_CODE_H
#define HYPERVISOR_SCAN_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "abi/boot.h"
#include "scan/eh_frame.h"

/** A piece of executable memory. */
struct scan_code {
	const uint8_t *bytes;
	uint64_t count;
	uint64_t address; /**< of the first byte, in the program's memory */
};

struct scan_sites {
	struct trap_site *at; /**< for the caller to free */
	size_t count, room;
};

/**
 * Calls visit for the offset of each 0x0f that could begin the opcode of such an instruction (its prefixes stand
 * before it), in ascending order, until it returns non-zero, which is returned; 0 at the end. It reads the bytes once
 * and disassembles nothing.
 */
int scan_code_candidates(const struct scan_code *code, int (*visit)(void *context, uint64_t offset), void *context);

/** What becomes of bytes like such an instruction in no function: assembly without unwind information, or data. */
enum scan_outside {
	SCAN_OUTSIDE_REFUSE, /**< an error, unless disassembly from the bytes before them passes over them */
	SCAN_OUTSIDE_LEAVE,  /**< nothing: for system libraries, whose assembly has unwind information around its tables
	                      */
};

/**
 * Finds all such instructions and appends them to sites, in ascending order. `functions` is sorted. A function is
 * disassembled from its start, so that bytes inside of other instructions are not taken; a jump into the middle of
 * an instruction is not considered. 0, or a negative errno with one line in error[]: -ENOTSUP when an instruction
 * cannot be told from data, -ELIBACC when the disassembler is not installed.
 */
int scan_code_find(const struct scan_code *code, const struct code_range *functions, size_t function_count,
                   enum scan_outside outside, struct scan_sites *sites, char error[256]);

#endif
