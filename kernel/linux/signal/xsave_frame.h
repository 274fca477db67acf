/* SPDX-License-Identifier: MIT */
/* The return from a Linux program's signal handlers (kernel/signal/signal_frame.h), with the state of the processor
 * model. */
#ifndef KERNEL_LINUX_SIGNAL_XSAVE_FRAME_H
#define KERNEL_LINUX_SIGNAL_XSAVE_FRAME_H

#include "kernel/signal/signal_frame.h"

/** Restores the registers like signal_frame_pop, from a copy of the frame on the program's stack; from v3 on with the
 * other vector registers. Returns 0 or -EFAULT. */
int xsave_frame_pop(struct trap_frame *frame, struct signal_frame *built);

#endif
