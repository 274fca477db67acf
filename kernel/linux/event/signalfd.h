/* SPDX-License-Identifier: MIT */
/* Descriptors that show signals (signalfd(2)). */
#ifndef KERNEL_LINUX_EVENT_SIGNALFD_H
#define KERNEL_LINUX_EVENT_SIGNALFD_H

struct process;

/** personality.signal_added: wakes the threads that wait at a signalfd for this process's signals. */
void signalfd_notice(const struct process *process);

#endif
