/* SPDX-License-Identifier: MIT */
/* Frames of signal handlers on the program's stack, which hold the registers to return to. */
#ifndef KERNEL_SIGNAL_SIGNAL_FRAME_H
#define KERNEL_SIGNAL_SIGNAL_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "abi/linux.h"
#include "abi/linux_signal.h"
#include "kernel/arch/trap.h"

/** On the program's stack while a handler runs. */
struct signal_frame {
	uint64_t return_address; /**< address of code that calls rt_sigreturn(2); the handler's ret pops it */
	struct linux_ucontext context;
	struct linux_siginfo info;
	uint64_t padding;
	long owed;           /**< result of vclock_pay */
	uint64_t owed_at;    /**< the instruction where the loop that owes it continues */
	uint8_t vector[512]; /**< FXSAVE area */
};

_Static_assert(offsetof(struct signal_frame, vector) % 16 == 0, "FXSAVE area is aligned when the frame is");

/** Builds the frame on the program's stack, or on the alternate one, and makes *frame continue in the handler. `mask`
 * is the set of signals blocked after it returns. Returns 0, or -EFAULT, and then only the stack has changed. */
int signal_frame_push(struct trap_frame *frame, const struct linux_sigaction *action, const struct linux_siginfo *info,
                      uint64_t mask, uint64_t return_address);

/** Builds the frame without the state that a processor model has beyond FXSAVE's. signal_frame_push is this function
 * unless kernel/linux/signal/xsave_frame.c extends it. */
int signal_frame_build(struct trap_frame *frame, const struct linux_sigaction *action, const struct linux_siginfo *info,
                       uint64_t mask, uint64_t return_address);

/** Makes *frame, and the vector registers, continue where the handler was called. The caller restores the mask. */
void signal_frame_pop(struct trap_frame *frame, const struct signal_frame *built);

/** Return address of a handler: a fixed one in native images, or SA_RESTORER of a Linux program. */
uint64_t signal_return_address(const struct linux_sigaction *action);

#endif
