/* SPDX-License-Identifier: MIT */
/* Files of /proc/PID that tell of what is mounted: proc_entry.text. */
#ifndef KERNEL_LINUX_PROC_PROC_MOUNTS_H
#define KERNEL_LINUX_PROC_PROC_MOUNTS_H

#include "kernel/linux/proc/proc.h"

/** mounts: one line each, as in fstab(5). */
int proc_mounts(const struct proc_object *object, struct text *text);
/** mountinfo: with devices, and what each is mounted on. */
int proc_mountinfo(const struct proc_object *object, struct text *text);

#endif
