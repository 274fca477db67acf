/* SPDX-License-Identifier: MIT */
/* Emulation of FNSTENV, FNSAVE and FXSAVE: they store the x87 state without the fields that differ between processors,
 * and without the addresses of the last x87 instruction and its operand, which a host forgets on a task switch. */
#ifndef KERNEL_TRAP_X87_STATE_H
#define KERNEL_TRAP_X87_STATE_H

#include "kernel/arch/trap.h"

#define X87_STATE_CODE_BYTES 16 /**< one more than the maximum length of an instruction */

/** Emulates an instruction that the monitor has found (TRAP_X87_STATE), given its bytes. The frame is one byte behind
 * its start, and is moved to its end. FIP, FDP, FOP, FCS and FDS are 0, reserved parts have the values that processors
 * store, and the mask of MXCSR is 0xffff. */
void x87_state_emulate(struct trap_frame *frame, const uint8_t code[X87_STATE_CODE_BYTES], unsigned length);

#endif
