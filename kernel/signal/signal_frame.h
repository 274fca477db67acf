/* SPDX-License-Identifier: MIT */
/* Frames of signal handlers on the program's stack, where registers go that the handler returns to. */
#ifndef KERNEL_SIGNAL_SIGNAL_FRAME_H
#define KERNEL_SIGNAL_SIGNAL_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "abi/linux.h"
#include "abi/linux_signal.h"
#include "kernel/arch/trap.h"

/** On the program's stack while a handler runs. */
struct signal_frame {
	uint64_t return_address; /**< what is there calls for rt_sigreturn(2); popped by the handler's ret */
	struct linux_ucontext context;
	struct linux_siginfo info;
	uint64_t padding;
	long owed;           /**< what vclock_pay returned */
	uint64_t owed_at;    /**< the instruction that the loop which owes it goes on at */
	uint8_t vector[512]; /**< FXSAVE area */
};

_Static_assert(offsetof(struct signal_frame, vector) % 16 == 0, "FXSAVE area is aligned when the frame is");

/**
 * Builds the frame on the program's stack, or on the alternate one, and has *frame go on in the handler. `mask` is what
 * will be blocked when it returns. 0, or -EFAULT, and nothing has changed but the stack.
 */
int signal_frame_push(struct trap_frame *frame, const struct linux_sigaction *action, const struct linux_siginfo *info,
                      uint64_t mask, uint64_t return_address);

/** The same without what a processor model has for state beyond FXSAVE's: what signal_frame_push is where nothing else
 * is (kernel/linux/signal/xsave_frame.c). */
int signal_frame_build(struct trap_frame *frame, const struct linux_sigaction *action, const struct linux_siginfo *info,
                       uint64_t mask, uint64_t return_address);

/** Has *frame, and the vector registers, go on where the handler was called; of the mask the caller takes care. */
void signal_frame_pop(struct trap_frame *frame, const struct signal_frame *built);

/** Where a handler returns to: the native image's way back, or what a Linux program says (SA_RESTORER). */
uint64_t signal_return_address(const struct linux_sigaction *action);

#endif
