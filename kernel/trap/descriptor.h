/* SPDX-License-Identifier: MIT */
/* Instructions about descriptor tables, which programs of ring 3 need for nothing. SGDT, SIDT, SMSW, STR and SLDT give
 * what Linux gives where the processor keeps them from programs (UMIP). LAR, LSL, VERR and VERW know the segments that
 * every program of Linux has; the limit of the last one is the processor's number. */
#ifndef KERNEL_TRAP_DESCRIPTOR_H
#define KERNEL_TRAP_DESCRIPTOR_H

#include "kernel/arch/trap.h"

#define DESCRIPTOR_CODE_BYTES 16 /**< one more than an instruction has at the most */

/**
 * Does the work of an instruction that the monitor has found (TRAP_SEGMENT, TRAP_DESCRIPTOR) and whose bytes are these.
 * The frame is one behind its first byte, and comes to be behind it all. An operand in memory that the program may not
 * use becomes SIGSEGV, and one with a segment's base or a 32-bit address SIGILL.
 */
void descriptor_emulate(struct trap_frame *frame, const uint8_t code[DESCRIPTOR_CODE_BYTES], unsigned length);

#endif
