/* SPDX-License-Identifier: MIT */
/* Instructions that only 32-bit code has. A program reaches such code by a far return. */
#ifndef KERNEL_TRAP_CODE32_H
#define KERNEL_TRAP_CODE32_H

#include <stdbool.h>

#include "kernel/arch/trap.h"

/**
 * Executes the instruction of an invalid-opcode exception in 32-bit code, if it is ARPL of registers, DAA or AAA.
 * kvm-pvm emulates 32-bit code and lacks them. Returns false for other instructions and for 64-bit code.
 */
bool code32_emulate(struct trap_frame *frame);

#endif
