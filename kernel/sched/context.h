/* SPDX-License-Identifier: MIT */
/* Contexts of threads: the registers that a suspended thread has on its stack, and switching between threads. */
#ifndef KERNEL_SCHED_CONTEXT_H
#define KERNEL_SCHED_CONTEXT_H

#include <stdint.h>

/** The registers that context_switch pushes (context.S): those that a function preserves (psABI, section 3.2.1). */
struct context {
	struct context_float {
		uint32_t mxcsr;
		uint16_t x87_control;
		uint16_t x87_exceptions; /**< the exception bits of the status word */
	} environment;
	uint64_t rflags;
	uint64_t r15, r14, r13, r12, rbx, rbp;
	uint64_t rip;
};

_Static_assert(sizeof(struct context) == 72, "context.S");

/** Saves the running context, stores its address in *save, and continues the context at `load`. */
void context_switch(uint64_t *save, uint64_t load);

/** Continues the context at `load`. The running context is lost. */
_Noreturn void context_load(uint64_t load);

/** First code of a new thread: calls rbx(r12). */
void context_begin(void);

/** The floating-point environment (fenv.h) of the running thread. */
void context_float(struct context_float *environment);

/** Calls function(argument) on the policies' stack. Of the registers, only rax depends on the function afterwards: it
 * has the result. Calls must not nest. */
uint64_t context_on_policy_stack(uint64_t (*function)(const void *), const void *argument);

#endif
