/* SPDX-License-Identifier: MIT */
/* RDFSBASE, RDGSBASE, WRFSBASE and WRGSBASE of a program (SDM volume 2B). */
#ifndef KERNEL_TRAP_BASE_INSTRUCTION_H
#define KERNEL_TRAP_BASE_INSTRUCTION_H

#include <stdint.h>

#include "kernel/arch/trap.h"

#define BASE_INSTRUCTION_BYTES 5 /* F3 REX 0F AE ModRM */

/**
 * Does the work of the instruction with these bytes, all but moving RIP. Returns its length; 0: it is another one, or
 * loads a base that no program can have.
 */
unsigned base_instruction_emulate(struct trap_frame *frame, const uint8_t code[BASE_INSTRUCTION_BYTES]);

/** The same where the monitor has put a trap at `address`; a base that no program can have is a SIGSEGV. */
void base_instruction_trapped(struct trap_frame *frame, const uint8_t code[BASE_INSTRUCTION_BYTES], uint64_t address);

#endif
