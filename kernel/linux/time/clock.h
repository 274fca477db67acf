/* SPDX-License-Identifier: MIT */
/* Clocks of processes and threads. */
#ifndef KERNEL_LINUX_TIME_CLOCK_H
#define KERNEL_LINUX_TIME_CLOCK_H

#include <stdint.h>

#include "kernel/linux/process/linux_process.h"

/** The process of a clock number (clock_getcpuclockid(3)); NULL: another kind of clock, or no such process. */
struct linux_process *clock_process(int clock);

/** The thread of a clock number, 0 for the running one (pthread_getcpuclockid(3)); -1: none. */
int64_t clock_thread(int clock);

/** Charges for a read of processor time, before the result is computed: more, the more such reads there are. */
void clock_pay_for_work(void);

#endif
