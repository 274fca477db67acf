/* SPDX-License-Identifier: MIT */
/* Delivery of signals to Linux programs: handlers run when a system call returns. */
#ifndef KERNEL_LINUX_SIGNAL_DELIVER_H
#define KERNEL_LINUX_SIGNAL_DELIVER_H

#include <stdint.h>

#include "kernel/arch/trap.h"

struct linux_sigaction;

/** Makes *frame continue in the handlers of the signals to deliver, or ends the run. */
void linux_deliver(struct trap_frame *frame);

/** personality.signal_die_at: ends the running process, or the run if it is the first one or the kernel's own fault. */
_Noreturn void deliver_die_at(const struct trap_frame *frame, int sig, const char *what);

/** personality.signal_return_address: the program's restorer. */
uint64_t deliver_return_address(const struct linux_sigaction *action);

/** personality.signal_fault_place: an instruction in a stub has its address in the program. */
uint64_t deliver_fault_place(uint64_t address);

/** personality.signal_caller_stack: the stack pointer at the system call. */
uint64_t deliver_caller_stack(void);

#endif
