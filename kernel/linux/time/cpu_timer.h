/* SPDX-License-Identifier: MIT */
/* What comes when a process has used so much of the processor: ends of sleeps by its clock, and of RLIMIT_CPU. */
#ifndef KERNEL_LINUX_TIME_CPU_TIMER_H
#define KERNEL_LINUX_TIME_CPU_TIMER_H

#include "kernel/linux/process/linux_process.h"

/** Takes over timer_source, at the start. */
void cpu_timer_init(void);

/** A process has another limit, by setrlimit(2) or because it is new. */
void cpu_timer_limit(struct linux_process *process);

/** A process ends. */
void cpu_timer_forget(struct linux_process *process);

/** Another process runs from now on. */
void cpu_timer_switched(void);

#endif
