/* SPDX-License-Identifier: MIT */
/* Process descriptors: pidfd_open(2). */
#ifndef KERNEL_LINUX_EVENT_PIDFD_H
#define KERNEL_LINUX_EVENT_PIDFD_H

#include <stdbool.h>

#include "kernel/linux/process/linux_process.h"

/** Gets the process of a descriptor, NULL once the process has been waited for, and whether PIDFD_NONBLOCK is set.
 * Returns 0 or -EBADF. */
int pidfd_find(int number, struct linux_process **process, bool *nonblocking);

/** Makes a descriptor of a process, in the current process; execve closes it. Returns its number or a negative errno.
 */
int pidfd_make(struct linux_process *process, unsigned int flags);

/** A process has ended: wakes those who wait for its descriptors. */
void pidfd_tell(const struct linux_process *process);

/** A process that has ended is about to be freed. */
void pidfd_forget(const struct linux_process *process);

#endif
