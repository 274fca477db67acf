/* SPDX-License-Identifier: MIT */
/* Code that a program makes at run time: the instructions that it must not contain. */
#ifndef KERNEL_MM_EXEC_H
#define KERNEL_MM_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/mm/vm.h"

/** Called when a range, or a part of it, has become executable. Ends the run if its executable parts, or their borders
 * with other code, contain bytes that may be an instruction with host-dependent results (CPUID, RDTSC, RDTSCP, RDRAND,
 * RDSEED, RDPID, RDPRU, XGETBV, TSX, and those that the processor model lacks). The monitor patches images when it
 * loads them. Code made at run time cannot be patched, because nothing tells its instructions from its data. */
void exec_refuse(uint64_t address, uint64_t bytes);

/** Finds the next executable part of a mapping in [*at, limit). Sets *at to its start and returns its end; 0: there is
 * none. */
static inline uint64_t exec_next(uint64_t *at, uint64_t limit)
{
	while (*at < limit) {
		uint64_t end = vm_mapping_end(*at);
		if (end > *at && vm_protection(*at) & VM_EXEC)
			return end < limit ? end : limit;
		*at = end > *at ? end : vm_next_mapping(*at, limit);
	}
	return 0;
}

#endif
