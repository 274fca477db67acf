/* SPDX-License-Identifier: MIT */
/* Emulation of instructions on descriptor tables, which ring 3 programs do not need. SGDT, SIDT, SMSW, STR and SLDT
 * return what Linux returns on a processor with UMIP. LAR, LSL, VERR and VERW know the segments of every Linux program;
 * the limit of the last one is the processor's number. */
#ifndef KERNEL_TRAP_DESCRIPTOR_H
#define KERNEL_TRAP_DESCRIPTOR_H

#include "kernel/arch/trap.h"

#define DESCRIPTOR_CODE_BYTES 16 /**< one more than the maximum length of an instruction */

/** Emulates an instruction that the monitor has found (TRAP_SEGMENT, TRAP_DESCRIPTOR), given its bytes. The frame is
 * one byte behind its start, and is moved to its end. A memory operand that the program may not access becomes SIGSEGV.
 */
void descriptor_emulate(struct trap_frame *frame, const uint8_t code[DESCRIPTOR_CODE_BYTES], unsigned length);

#endif
