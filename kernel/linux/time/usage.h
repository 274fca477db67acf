/* SPDX-License-Identifier: MIT */
/* What processes have used of the processor: all of it is time of the program, none the system's. */
#ifndef KERNEL_LINUX_TIME_USAGE_H
#define KERNEL_LINUX_TIME_USAGE_H

#include "kernel/linux/process/linux_process.h"

struct linux_rusage;

/** Nanoseconds that a process's threads have run, those that have ended included. */
uint64_t usage_ran_ns(const struct linux_process *process);

/** The running process is about to leave its address space. */
void usage_space_ends(struct linux_process *process);

/** The running thread of a process is about to end. */
void usage_thread_ends(struct linux_process *process);

/** A child that has ended has been waited for: what it and its own children used is told of among its parent's. */
void usage_waited(struct linux_process *child);

/** What wait4(2) tells of such a child. */
void usage_of_child(const struct linux_process *child, struct linux_rusage *usage);

#endif
