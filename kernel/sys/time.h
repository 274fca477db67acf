/* SPDX-License-Identifier: MIT */
/* Clocks for kernel calls where there is one process; Linux programs have one clock more for each process. */
#ifndef KERNEL_SYS_TIME_H
#define KERNEL_SYS_TIME_H

struct linux_timespec;

/** clock_gettime(2) and clock_getres(2), but for the clocks of processes other than the first. */
long time_clock_gettime(int clock, struct linux_timespec *now);
long time_clock_getres(int clock, struct linux_timespec *resolution);

#endif
