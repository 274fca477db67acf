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
	uint64_t owed_at;    /**< the instruction at which the loop that owes these ticks continues */
	uint8_t vector[512]; /**< FXSAVE area */
};

_Static_assert(offsetof(struct signal_frame, vector) % 16 == 0, "FXSAVE area is aligned when the frame is");

/** personality.signal_frame_push without the state that a processor model has beyond FXSAVE's. */
int signal_frame_build(struct trap_frame *frame, const struct linux_sigaction *action, const struct linux_siginfo *info,
                       uint64_t mask, uint64_t return_address);

/** Makes *frame, and the vector registers, continue where the handler was called. The caller restores the mask. */
void signal_frame_pop(struct trap_frame *frame, const struct signal_frame *built);

#endif
