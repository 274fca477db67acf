/* SPDX-License-Identifier: MIT */
/* Processors in /proc and /sys (proc(5), sysfs-devices-system-cpu of Linux's ABI documents). */
#ifndef KERNEL_LINUX_PROC_PROC_CPU_H
#define KERNEL_LINUX_PROC_PROC_CPU_H

#include "kernel/linux/proc/proc.h"

/** proc_entry.text of /proc/cpuinfo, of files with the list of all processors, and of files with the highest number. */
int proc_cpuinfo(const struct proc_object *object, struct text *text);
int proc_cpu_list(const struct proc_object *object, struct text *text);
int proc_cpu_max(const struct proc_object *object, struct text *text);

/** Adds the lines of /proc/PID/status for a set of processors. */
void proc_cpu_set(struct text *text, uint64_t mask);

/** proc_entry.refresh of the directory in /sys: makes the entries of all processors at its first lookup. */
int proc_cpu_refresh(struct inode *dir, const char *name, size_t length);

#endif
