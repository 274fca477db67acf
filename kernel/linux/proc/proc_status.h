/* SPDX-License-Identifier: MIT */
/* Files of /proc with the numbers of a process or a thread. */
#ifndef KERNEL_LINUX_PROC_PROC_STATUS_H
#define KERNEL_LINUX_PROC_PROC_STATUS_H

#include "kernel/linux/proc/proc.h"

/** proc_entry.text of stat, statm, status and limits. */
int proc_stat(const struct proc_object *object, struct text *text);
int proc_statm(const struct proc_object *object, struct text *text);
int proc_status(const struct proc_object *object, struct text *text);
int proc_limits(const struct proc_object *object, struct text *text);

#endif
