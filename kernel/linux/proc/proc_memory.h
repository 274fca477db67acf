/* SPDX-License-Identifier: MIT */
/* /proc/PID/mem: the memory of a process as a file. */
#ifndef KERNEL_LINUX_PROC_PROC_MEMORY_H
#define KERNEL_LINUX_PROC_PROC_MEMORY_H

#include "kernel/linux/proc/proc.h"

/** proc_entry.open. */
int proc_memory_open(struct inode *inode, struct file *file);

#endif
