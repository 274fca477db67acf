/* SPDX-License-Identifier: MIT */
/* Executes the instruction at a breakpoint without taking the breakpoint out of the code: a jump is followed here, and
 * another instruction is executed as a copy, in the rest of the page of the vDSO. That page is replaced by a copy of it
 * meanwhile, as pages with breakpoints are. One exception is all that a hit costs. */
#ifndef KERNEL_LINUX_DEBUG_DEBUG_ASIDE_H
#define KERNEL_LINUX_DEBUG_DEBUG_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/arch/trap.h"

/** Instructions are at most so long. */
#define DEBUG_CODE_BYTES 15

/** The page that has room for a copy; 0: none. */
uint64_t debug_aside_page(void);

/** Makes the running thread execute the instruction at the frame, whose bytes are given, aside. `page` are the bytes of
 * the page's copy, or NULL. Returns false if that cannot be done with this instruction. */
bool debug_aside_go(struct trap_frame *frame, const uint8_t code[DEBUG_CODE_BYTES], unsigned bytes, uint8_t *page);

/** An exception: if it is at the copy of an instruction, the frame becomes that of the instruction itself. Returns
 * whether it was, and the instruction has not been executed. */
bool debug_aside_leave(struct trap_frame *frame);

#endif
