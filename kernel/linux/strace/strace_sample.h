/* SPDX-License-Identifier: MIT */
/* Samples for eremite profile: tells the monitor where a thread is, while the guest stands still. Only the area of the
 * observer changes, and the time of the next sample. */
#ifndef KERNEL_LINUX_STRACE_STRACE_SAMPLE_H
#define KERNEL_LINUX_STRACE_STRACE_SAMPLE_H

#include "abi/strace.h"
#include "kernel/arch/trap.h"

/** The program starts. */
void strace_sample_begin(void);

/** A kernel call or a page fault of the running thread, or a place that counts time: takes a sample if it is due.
 * `frame` has the program's registers. Called in observed runs only. */
void strace_sample(enum strace_sample_by by, const struct trap_frame *frame);

#endif
