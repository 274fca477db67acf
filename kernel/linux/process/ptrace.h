/* SPDX-License-Identifier: MIT */
/* ptrace(2), as far as LeakSanitizer and similar tools need it: stopping the threads of another process and reading
 * their registers. */
#ifndef KERNEL_LINUX_PROCESS_PTRACE_H
#define KERNEL_LINUX_PROCESS_PTRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/linux/process/linux_process.h"

/** Whether a tracer wants the running thread to stop. */
bool ptrace_stops(void);

/** Called when the running thread takes a SIGSTOP and ptrace_stops holds: it stops until the tracer lets it continue.
 */
void ptrace_stop(void);

/** A stopped thread that the running process traces and that has not been reported yet: the one with this number, or
 * any (-1). Marks it as reported. 0: no such thread. */
uint32_t ptrace_take_news(int pid);

/** A tracer ends: the threads that it traces continue. */
void ptrace_tracer_ends(struct linux_process *tracer);

#endif
