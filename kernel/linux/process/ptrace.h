/* SPDX-License-Identifier: MIT */
/* ptrace(2), as far as LeakSanitizer and its kin need it: to have the threads of another process stand still, and to
 * read their registers. */
#ifndef KERNEL_LINUX_PROCESS_PTRACE_H
#define KERNEL_LINUX_PROCESS_PTRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/linux/process/linux_process.h"

/** Whether another process has the running thread stand still. */
bool ptrace_stops(void);

/** The running thread was to be given a SIGSTOP, and ptrace_stops: it stands until it is let go. */
void ptrace_stop(void);

/** A thread that the running process has come to trace, and has not been told yet that it stands: the one of this
 * number, or of any (-1). It is told now. 0: there is none. */
uint32_t ptrace_take_news(int pid);

/** The threads that a process traces go on: it ends. */
void ptrace_tracer_ends(struct linux_process *tracer);

#endif
