/* SPDX-License-Identifier: MIT */
/* Code that a program makes at run time: what it must not contain. */
#ifndef KERNEL_MM_EXEC_H
#define KERNEL_MM_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/arch/trap.h"
#include "kernel/mm/vm.h"

/**
 * Ends the run when what is executable of a range, which has just become so or come there, holds, or makes at its
 * borders with other code, bytes that may be an instruction with results of the host's (CPUID, RDTSC, RDTSCP, RDRAND,
 * RDSEED, RDPID, RDPRU, XGETBV, TSX, and those that it has not). Images are patched by the monitor when they are
 * loaded; code made at run time cannot be, because nothing tells its instructions from its data.
 */
void exec_refuse(uint64_t address, uint64_t bytes);

/**
 * Whether memory may be written to and executed at once, and code in anonymous memory be looked at when it is executed
 * first. So it is for Linux programs (kernel/linux/patch/jit_pages.h). Their pages have one of both rights at a time.
 */
extern const bool exec_is_settled_late;

/** An exception, while there may be such pages. Whether that was all, and the access can be repeated. */
bool exec_fault(struct trap_frame *frame);

/** Takes the patches out of such pages in [address, address + bytes) before they are moved or cleared. */
void exec_thaw(uint64_t address, uint64_t bytes);

/** Has what is executable of such a range in order: for native images exec_refuse; the files of Linux programs are
 * patched (kernel/linux/patch/patch.c). */
void exec_check(uint64_t address, uint64_t bytes);

/** The next part of one mapping in [*at, limit) that is executable, from *at on: its end, and *at its start; 0: there
 * is none. */
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
