/* SPDX-License-Identifier: MIT */
/* Calls into handlers and back out of them, in assembly. */
#ifndef KERNEL_SIGNAL_INVOKE_H
#define KERNEL_SIGNAL_INVOKE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/linux_signal.h"

/**
 * Calls handler(sig, info, context) on the stack that ends at stack_top, or on this one when it is 0; with floating
 * point by default, which is restored when it returns.
 */
void signal_invoke(void (*handler)(int), int sig, struct linux_siginfo *info, struct linux_ucontext *context,
                   uint64_t stack_top);

/** Where the handler of a fault returns to; finds its struct fault_frame at the stack pointer. */
void signal_restore(void);

/**
 * Saves and restores x87 and SSE state (FXSAVE, 512 bytes, 16-byte aligned). What vendors store differently (last x87
 * instruction, its operand, the mask of MXCSR; SDM 1, 10.5.1, and APM 2, 11.4.4) is saved as zero, the mask as 0xffff.
 */
void signal_save_vector(void *area);
void signal_load_vector(const void *area);

/** Floating point as handlers find it: MXCSR and the x87 control word as at a thread's start, no x87 register in use.
 */
void signal_default_environment(void);

/** Whether a stack pointer lies on the alternate stack. */
static inline bool signal_on_stack(const struct linux_stack *stack, uint64_t sp)
{
	return stack->ss_size && sp > (uint64_t)stack->ss_sp && sp <= (uint64_t)stack->ss_sp + stack->ss_size;
}

/** The stack pointer of the program whose kernel call this is. */
uint64_t signal_caller_stack(void);

#endif
