/* SPDX-License-Identifier: MIT */
/* Signals of Linux programs: their handlers run when a system call returns. */
#ifndef KERNEL_LINUX_SIGNAL_DELIVER_H
#define KERNEL_LINUX_SIGNAL_DELIVER_H

#include "kernel/arch/trap.h"

/** Has *frame go on in the handlers of the signals that are to be delivered, or ends the run. */
void linux_deliver(struct trap_frame *frame);

#endif
