/* SPDX-License-Identifier: MIT */
/* Processor time used by processes: all of it counts as user time, none as system time. */
#ifndef KERNEL_LINUX_TIME_USAGE_H
#define KERNEL_LINUX_TIME_USAGE_H

#include "kernel/linux/process/linux_process.h"

struct linux_rusage;

/** Nanoseconds that a process's threads have run, including ended threads. */
uint64_t usage_ran_ns(const struct linux_process *process);

/** The running process is about to leave its address space. */
void usage_space_ends(struct linux_process *process);

/** The running thread of a process is about to end. */
void usage_thread_ends(struct linux_process *process);

/** An ended child has been waited for: adds its usage, and that of its own children, to its parent's. */
void usage_waited(struct linux_process *child);

/** The usage of an ended child and its own children, as wait4(2) returns it. */
void usage_of_child(const struct linux_process *child, struct linux_rusage *usage);

#endif
