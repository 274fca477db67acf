/* SPDX-License-Identifier: MIT */
/* proc_entry.text of the files of /proc/PID that list the mounts. */
#ifndef KERNEL_LINUX_PROC_PROC_MOUNTS_H
#define KERNEL_LINUX_PROC_PROC_MOUNTS_H

#include "kernel/linux/proc/proc.h"

/** mounts: one line for each mount, as in fstab(5). */
int proc_mounts(const struct proc_object *object, struct text *text);
/** mountinfo: also with devices and the parent of each mount. */
int proc_mountinfo(const struct proc_object *object, struct text *text);

#endif
