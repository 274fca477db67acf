/* SPDX-License-Identifier: MIT */
/* Stopping and continuing processes (signal(7), SIGSTOP and SIGCONT; wait(2), WUNTRACED and WCONTINUED). */
#ifndef KERNEL_LINUX_SIGNAL_STOP_H
#define KERNEL_LINUX_SIGNAL_STOP_H

#include <stdbool.h>

#include "kernel/linux/process/linux_process.h"

/** Whether the default action of a signal is to stop the process. */
bool stop_is_default(int sig);

/** Whether no member of a group has a parent in another group of the same session: terminals do not stop such a group
 * (setpgid(2)). */
bool stop_is_orphaned(uint32_t group);

/** The running thread has taken a stop signal. Stops its process, unless the signal is ignored; returns when the
 * process continues. Returns whether it stopped. */
bool stop_process(int sig);

/** A parent or its child has ended. If the child's group thereby becomes orphaned and has a stopped process, it gets
 * SIGHUP and SIGCONT (_exit(2)). */
void stop_tie_ends(const struct linux_process *child, const struct linux_process *parent);

/** A signal is being sent to a process. SIGCONT continues it and cancels pending stop signals; stop signals cancel a
 * pending SIGCONT; SIGKILL continues it so that it can end. */
void stop_signal_sent(struct linux_process *process, int sig);

#endif
