/* SPDX-License-Identifier: MIT */
/* XSAVE, XSAVEC, XSAVEOPT and XRSTOR of the processor models v3 and v4 (SDM 1, chapter 13). */
#ifndef KERNEL_LINUX_CPU_XSAVE_H
#define KERNEL_LINUX_CPU_XSAVE_H

#include <stdint.h>

#include "kernel/arch/trap.h"

/** Emulates the instruction, given its CPU_CODE_BYTES. The frame is one byte behind its start, and is moved to its end.
 * XSAVEC and XSAVEOPT are SIGILL, because leaf 0xd of the models does not offer them. An area that the program may not
 * access, or that is invalid, is SIGSEGV. */
void xsave_emulate(struct trap_frame *frame, const uint8_t *code, unsigned length);

/** Clears the parts after the header of an area, CPU_AREA_BYTES, that belong to none of these states. */
void xsave_clear(uint8_t *area, uint64_t states);

#endif
