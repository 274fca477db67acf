/* SPDX-License-Identifier: MIT */
/* Instructions that a processor refuses because of their operand. */
#ifndef KERNEL_TRAP_REFUSED_H
#define KERNEL_TRAP_REFUSED_H

#include <stdbool.h>

#include "kernel/arch/trap.h"

/** Restores the original exception of a frame under kvm-pvm. There, KVM's emulator looks at each general-protection
 * fault, and an instruction that it does not know becomes an invalid opcode. The original is restored for vector and
 * x87 instructions, and others that every supported processor has, if the operand's address is not canonical or not
 * aligned. Other frames stay unchanged. */
void refused_settle(struct trap_frame *frame);

/** Whether the instruction of a frame uses its stack, or an operand in memory whose base is RSP or RBP: if the address
 * is not canonical, the processor raises a stack-segment fault. */
bool refused_is_of_stack(const struct trap_frame *frame);

#endif
