/* SPDX-License-Identifier: MIT */
/* XSAVE, XSAVEC, XSAVEOPT and XRSTOR of the processor models v3 and v4 (SDM 1, chapter 13). */
#ifndef KERNEL_LINUX_CPU_XSAVE_H
#define KERNEL_LINUX_CPU_XSAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/arch/trap.h"

/** Emulates the instruction, with the operand in its bytes and the registers of a frame. Returns false when the model
 * lacks the instruction, or its operand is invalid. */
bool xsave_emulate(const struct trap_frame *frame, const unsigned char *code, unsigned length);

/** Clears the parts after the header of an area, CPU_AREA_BYTES, that belong to none of these states. */
void xsave_clear(uint8_t *area, uint64_t states);

#endif
