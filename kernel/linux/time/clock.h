/* SPDX-License-Identifier: MIT */
/* The clocks of processes. */
#ifndef KERNEL_LINUX_TIME_CLOCK_H
#define KERNEL_LINUX_TIME_CLOCK_H

#include <stdint.h>

#include "kernel/linux/process/linux_process.h"

/** The process whose clock a number means (clock_getcpuclockid(3)); NULL: it is another kind of clock, or there is none
 * such. */
struct linux_process *clock_process(int clock);

/** The thread whose clock a number means, 0 for the running one (pthread_getcpuclockid(3)); -1: none. */
int64_t clock_thread(int clock);

/** Has a look at processor time, which is about to be told, take some: the more the more of them there are. */
void clock_pay_for_work(void);

#endif
