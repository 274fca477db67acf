/* SPDX-License-Identifier: MIT */
/* FNSTENV, FNSAVE and FXSAVE: what the processor stores of the x87 unit, and nothing that differs between processors,
 * or that a host forgets when it gives the processor to others: where the last x87 instruction and its operand were. */
#ifndef KERNEL_TRAP_X87_STATE_H
#define KERNEL_TRAP_X87_STATE_H

#include "kernel/arch/trap.h"

#define X87_STATE_CODE_BYTES 16 /**< one more than an instruction has at the most */

/**
 * Does the work of an instruction that the monitor has found (TRAP_X87_STATE) and whose bytes are these. The frame is
 * one behind its first byte, and comes to be behind it all. FIP, FDP, FOP, FCS and FDS are 0, reserved parts are what
 * processors store in them, and the mask of MXCSR is 0xffff.
 */
void x87_state_emulate(struct trap_frame *frame, const uint8_t code[X87_STATE_CODE_BYTES], unsigned length);

#endif
