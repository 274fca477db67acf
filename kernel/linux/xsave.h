/* SPDX-License-Identifier: MIT */
/* XSAVE, XSAVEC, XSAVEOPT and XRSTOR as the processor model v3 has them (SDM 1, chapter 13). */
#ifndef KERNEL_LINUX_XSAVE_H
#define KERNEL_LINUX_XSAVE_H

#include <stdbool.h>

#include "kernel/arch/trap.h"

/** Does the work of the instruction, with the operand in its bytes and the registers of a frame. False when it is not
 * one that the model has, or its operand is not what it must be. */
bool xsave_emulate(const struct trap_frame *frame, const unsigned char *code, unsigned length);

#endif
