/* SPDX-License-Identifier: MIT */
/* Contexts of threads: what a thread that does not run has on its stack, and changing from one to another. */
#ifndef KERNEL_SCHED_CONTEXT_H
#define KERNEL_SCHED_CONTEXT_H

#include <stdint.h>

/** What context_switch puts on a stack (context.S): what a function keeps, by the psABI, section 3.2.1. */
struct context {
	struct context_float {
		uint32_t mxcsr;
		uint16_t x87_control;
		uint16_t x87_exceptions; /**< those bits of the status word */
	} environment;
	uint64_t rflags;
	uint64_t r15, r14, r13, r12, rbx, rbp;
	uint64_t rip;
};

_Static_assert(sizeof(struct context) == 72, "context.S");

/** Saves the running context, and where it is in *save, and continues the one at `load`. */
void context_switch(uint64_t *save, uint64_t load);

/** Continues the context at `load`; the running one is never used again. */
_Noreturn void context_load(uint64_t load);

/** Where a new thread begins: calls rbx(r12). */
void context_begin(void);

/** The floating-point environment (fenv.h) of the running thread. */
void context_float(struct context_float *environment);

/**
 * Calls function(argument) on the policies' stack. No register but rax, with the result, tells afterwards what it
 * did. Must not be nested.
 */
uint64_t context_on_policy_stack(uint64_t (*function)(const void *), const void *argument);

#endif
