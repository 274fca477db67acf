/* SPDX-License-Identifier: MIT */
/* Stopping processes and letting them go on (signal(7), SIGSTOP and SIGCONT; wait(2), WUNTRACED and WCONTINUED). */
#ifndef KERNEL_LINUX_SIGNAL_STOP_H
#define KERNEL_LINUX_SIGNAL_STOP_H

#include <stdbool.h>

#include "kernel/linux/process/linux_process.h"

/** Whether the default of a signal is to stop the process. */
bool stop_is_default(int sig);

/** The running thread was to be given such a signal, which has been taken: its process stops, unless that is ignored;
 * the thread goes on when the process does. Whether it has stopped. */
bool stop_process(int sig);

/** One of two that were parent and child has ended: where the child's group has nobody else outside of it any more, and
 * stands still, it gets SIGHUP and SIGCONT (_exit(2)). */
void stop_tie_ends(const struct linux_process *child, const struct linux_process *parent);

/** A signal is being sent to a process: SIGCONT lets it go on and takes stop signals back, they take SIGCONT back, and
 * SIGKILL lets it go on to its end. */
void stop_signal_sent(struct linux_process *process, int sig);

#endif
