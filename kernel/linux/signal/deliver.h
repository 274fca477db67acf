/* SPDX-License-Identifier: MIT */
/* Delivery of signals to Linux programs: handlers run when a system call returns. */
#ifndef KERNEL_LINUX_SIGNAL_DELIVER_H
#define KERNEL_LINUX_SIGNAL_DELIVER_H

#include "kernel/arch/trap.h"

/** Makes *frame continue in the handlers of the signals to deliver, or ends the run. */
void linux_deliver(struct trap_frame *frame);

#endif
