/* SPDX-License-Identifier: MIT */
/* Instructions that a processor refuses for their operand. */
#ifndef KERNEL_TRAP_REFUSED_H
#define KERNEL_TRAP_REFUSED_H

#include "kernel/arch/trap.h"

/**
 * kvm-pvm looks at each general-protection fault by KVM's emulator, and what that does not know becomes an invalid
 * opcode. Gives such a frame back the exception that it was: where a vector or x87 instruction, or another that is in
 * every processor here, has an operand at an address that is not canonical or not aligned. Others stay as they are.
 */
void refused_settle(struct trap_frame *frame);

#endif
