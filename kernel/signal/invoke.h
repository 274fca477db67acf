/* SPDX-License-Identifier: MIT */
/* Assembly that calls signal handlers and returns from them. */
#ifndef KERNEL_SIGNAL_INVOKE_H
#define KERNEL_SIGNAL_INVOKE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/linux_signal.h"

/** Calls handler(sig, info, context) on the stack that ends at stack_top, or on the present one if it is 0. The handler
 * gets the default floating-point environment; the old one is restored when it returns. */
void call_handler(void (*handler)(int), int sig, struct linux_siginfo *info, struct linux_ucontext *context,
                  uint64_t stack_top);

/** Return address of a fault's handler. Finds the rest of its struct signal_frame at the stack pointer. */
void call_handler_return(void);

/** Saves and restores x87 and SSE state (FXSAVE, 512 bytes, 16-byte aligned). Fields that vendors store differently are
 * saved as zero (last x87 instruction and its operand) or 0xffff (mask of MXCSR); SDM 1, 10.5.1, and APM 2, 11.4.4. */
void signal_vector_save(void *area);
void signal_vector_load(const void *area);

/** Sets the floating-point environment of handlers: MXCSR and the x87 control word as at a thread's start, all x87
 * registers empty. */
void signal_vector_default_environment(void);

/** Whether a stack pointer is on the alternate stack. */
static inline bool signal_on_stack(const struct linux_stack *stack, uint64_t sp)
{
	return stack->ss_size && sp > (uint64_t)stack->ss_sp && sp <= (uint64_t)stack->ss_sp + stack->ss_size;
}

#endif
