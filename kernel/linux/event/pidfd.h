/* SPDX-License-Identifier: MIT */
/* Descriptors of processes: pidfd_open(2). */
#ifndef KERNEL_LINUX_EVENT_PIDFD_H
#define KERNEL_LINUX_EVENT_PIDFD_H

#include <stdbool.h>

#include "kernel/linux/process/linux_process.h"

/** Whose a descriptor is, NULL once that has been waited for, and whether it is PIDFD_NONBLOCK. 0 or -EBADF. */
int pidfd_find(int number, struct linux_process **process, bool *nonblocking);

/** A new descriptor of a process, in the current one; closed by execve. Its number or a negative errno. */
int pidfd_make(struct linux_process *process, unsigned int flags);

/** A process has ended: who waits for its descriptors is told. */
void pidfd_tell(const struct linux_process *process);

/** A process that has ended is about to be freed. */
void pidfd_forget(const struct linux_process *process);

#endif
