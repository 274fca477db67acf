/* SPDX-License-Identifier: MIT */
/* Emulation of RDFSBASE, RDGSBASE, WRFSBASE and WRGSBASE of a program (SDM volume 2B). */
#ifndef KERNEL_TRAP_BASE_INSTRUCTION_H
#define KERNEL_TRAP_BASE_INSTRUCTION_H

#include <stdint.h>

#include "kernel/arch/trap.h"

#define BASE_INSTRUCTION_BYTES 5 /* F3 REX 0F AE ModRM */

/** Emulates the instruction with these bytes, except that RIP stays. Returns its length; 0: it is another instruction,
 * or it loads a base that no program can have. */
unsigned base_instruction_emulate(struct trap_frame *frame, const uint8_t code[BASE_INSTRUCTION_BYTES]);

/** Emulates the instruction `code`, which the monitor has replaced by a trap at `address`. A base that no program can
 * have is a SIGSEGV. */
void base_instruction_trapped(struct trap_frame *frame, const uint8_t code[BASE_INSTRUCTION_BYTES], uint64_t address);

#endif
