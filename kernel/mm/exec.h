/* SPDX-License-Identifier: MIT */
/* Code that a program makes at run time: what it must not contain. */
#ifndef KERNEL_MM_EXEC_H
#define KERNEL_MM_EXEC_H

#include <stdint.h>

/**
 * Ends the run when what is executable of a range, which has just become so or come there, holds, or makes at its
 * borders with other code, bytes that may be an instruction with results of the host's (CPUID, RDTSC, RDTSCP, RDRAND,
 * RDSEED, RDPID, RDPRU, XGETBV, TSX, and those that it has not). Images are patched by the monitor when they are
 * loaded; code made at run time cannot be, because nothing tells its instructions from its data.
 */
void exec_refuse(uint64_t address, uint64_t bytes);

/** Has what is executable of such a range in order: for native images exec_refuse; the files of Linux programs are
 * patched (kernel/linux/patch.c). */
void exec_check(uint64_t address, uint64_t bytes);

#endif
