/* SPDX-License-Identifier: MIT */
/* XSAVE, XSAVEC, XSAVEOPT and XRSTOR as the processor models v3 and v4 have them (SDM 1, chapter 13). */
#ifndef KERNEL_LINUX_CPU_XSAVE_H
#define KERNEL_LINUX_CPU_XSAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/arch/trap.h"

/** Does the work of the instruction, with the operand in its bytes and the registers of a frame. False when it is not
 * one that the model has, or its operand is not what it must be. */
bool xsave_emulate(const struct trap_frame *frame, const unsigned char *code, unsigned length);

/** Clears the parts behind the header of an area, CPU_AREA_BYTES, that belong to none of these states. */
void xsave_clear(uint8_t *area, uint64_t states);

#endif
