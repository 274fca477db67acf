/* SPDX-License-Identifier: MIT */
/* Steps of the debugger, by the trap flag. The flag is set only while the program's own instructions run: the kernel,
 * and what it saves of the program's flags, never see it. A step over an instruction that is patched is one step. */
#ifndef KERNEL_LINUX_DEBUG_DEBUG_STEP_H
#define KERNEL_LINUX_DEBUG_DEBUG_STEP_H

#include <stdbool.h>

#include "kernel/arch/trap.h"

/** Makes the running thread continue at a frame, all of which is restored: by a step if the debugger wants one, or over
 * the breakpoint there. Puts the breakpoints into the code. */
void debug_step_go(struct trap_frame *frame);

/** The same for a thread at the kernel's first instruction (DEBUG_STEP_ENTERS), which comes from an address. */
void debug_step_enter(const struct trap_frame *frame, uint64_t from);

/** Forgets all steps. */
void debug_step_forget(void);

/** Whether an address is in the kernel's code. */
bool debug_step_in_kernel(uint64_t address);

enum debug_step {
	DEBUG_STEP_NONE,   /**< it is not */
	DEBUG_STEP_ON,     /**< the thread continues */
	DEBUG_STEP_DONE,   /**< the debugger's step has ended */
	DEBUG_STEP_ENTERS, /**< it enters the kernel, where other threads may run that the debugger expects to stand */
};

/** Handles an exception that may be the debugger's. */
enum debug_step debug_step_trap(struct trap_frame *frame);

/** Makes the running thread continue at a breakpoint that is not aimed at it. */
void debug_step_pass(struct trap_frame *frame);

/** Makes the running thread execute the instruction at the frame alone: a store to a watched page. A breakpoint there,
 * which the thread has passed, does not stop it again. */
void debug_step_store(struct trap_frame *frame, bool is_at_breakpoint);

/** Whether the exception is the step after a store that it has made alone. */
bool debug_step_stored(const struct trap_frame *frame);

/** Ends this after an instruction, or before the kernel handles an exception. Returns whether the exception was that
 * step. */
bool debug_step_passed(struct trap_frame *frame);

/** After an exception that was not the debugger's. */
enum debug_step debug_step_after(struct trap_frame *frame);

/** A system call of the thread ends elsewhere than behind it: there the step ends. */
void debug_step_call_ends(const struct trap_frame *frame);

/** A signal is delivered, whose handler is at an address: a step ends there. */
void debug_step_to(uint64_t address);

#endif
