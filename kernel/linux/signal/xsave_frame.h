/* SPDX-License-Identifier: MIT */
/* The way back from a Linux program's signal handlers (kernel/signal/signal_frame.h), with the state of the processor
 * model. */
#ifndef KERNEL_LINUX_SIGNAL_XSAVE_FRAME_H
#define KERNEL_LINUX_SIGNAL_XSAVE_FRAME_H

#include "kernel/signal/signal_frame.h"

/** As signal_frame_pop, from a copy of what is on the program's stack; of v3 with the rest of the vector registers. 0
 * or -EFAULT. */
int xsave_frame_pop(struct trap_frame *frame, struct signal_frame *built);

#endif
