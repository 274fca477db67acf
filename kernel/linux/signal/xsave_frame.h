/* SPDX-License-Identifier: MIT */
/* The frames of a Linux program's signal handlers (kernel/signal/signal_frame.h), with the state of the processor
 * model. */
#ifndef KERNEL_LINUX_SIGNAL_XSAVE_FRAME_H
#define KERNEL_LINUX_SIGNAL_XSAVE_FRAME_H

#include "kernel/signal/signal_frame.h"

/** Restores the registers like signal_frame_pop, from a copy of the frame on the program's stack; from v3 on with the
 * other vector registers. Returns 0 or -EFAULT. */
int xsave_frame_pop(struct trap_frame *frame, struct signal_frame *built);

/** personality.signal_frame_push: with the vector registers beyond FXSAVE's, if they are in use. */
int xsave_frame_push(struct trap_frame *frame, const struct linux_sigaction *action, const struct linux_siginfo *info,
                     uint64_t mask, uint64_t return_address);

#endif
