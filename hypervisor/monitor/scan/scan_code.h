/* SPDX-License-Identifier: MIT */
/* Finds the instructions in machine code whose results depend on the host: CPUID, RDTSC, RDTSCP, RDRAND, RDSEED, RDPID,
 * XGETBV, those that read descriptor tables (LSL shows the processor's number), SYSENTER, and others in enum trap_kind.
 *
 * It does not search for RDPMC, privileged instructions and INT n, which fault in ring 3. Nor for XSAVE and related
 * instructions, AVX, TSX, PKU and shadow stacks: the processor model does not offer them, and system libraries contain
 * them without using them then. Nor for timed waits, whose results do not reach a register. */
#ifndef HYPERVISOR_SCAN_CODE_H
#define HYPERVISOR_SCAN_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "abi/boot.h"
#include "base/error.h"
#include "scan/eh_frame.h"

/** A piece of executable memory. */
struct scan_code {
	const uint8_t *bytes;
	uint64_t count;
	uint64_t address; /**< of the first byte, in the program's memory */
};

struct scan_sites {
	struct trap_site *at; /**< freed by the caller */
	size_t count, room;
};

/**
 * Calls `visit` with the offset of each 0x0f that could begin the opcode of such an instruction (after its prefixes),
 * in ascending order, until it returns non-zero. Returns that value, or 0 at the end. Reads the bytes once and
 * disassembles nothing.
 */
int scan_code_candidates(const struct scan_code *code, int (*visit)(void *context, uint64_t offset), void *context);

/**
 * What to do about bytes outside all functions that look like such an instruction: assembly without unwind information,
 * or data.
 */
enum scan_outside {
	SCAN_OUTSIDE_REFUSE, /**< report an error, unless disassembly from the bytes before shows that no instruction
	                        begins there */
	SCAN_OUTSIDE_LEAVE,  /**< leave them: for system libraries, whose assembly has unwind information, but for its
	                      * tables
	                      */
};

/**
 * Finds all such instructions and appends them to `sites`, in ascending order. `functions` is sorted. Disassembles each
 * function from its start, so that bytes inside other instructions are not taken. Does not consider jumps into the
 * middle of an instruction. Returns 0, or a negative errno with one line in *error: -ENOTSUP if an instruction cannot
 * be distinguished from data, -ELIBACC if the disassembler is not installed.
 */
int scan_code_find(const struct scan_code *code, const struct code_range *functions, size_t function_count,
                   enum scan_outside outside, struct scan_sites *sites, struct error *error);

#endif
