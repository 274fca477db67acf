/* SPDX-License-Identifier: MIT */
/* Events at an amount of processor time of a process: the ends of sleeps on its clock, and RLIMIT_CPU. */
#ifndef KERNEL_LINUX_TIME_CPU_TIMER_H
#define KERNEL_LINUX_TIME_CPU_TIMER_H

#include "kernel/linux/process/linux_process.h"

/** personality.timers_expire: also the timers behind files. */
void cpu_timer_expire(void);

/** A process has a new limit, by setrlimit(2) or because it is new. */
void cpu_timer_limit(struct linux_process *process);

/** A process ends. */
void cpu_timer_forget(struct linux_process *process);

/** Another process runs from now on. */
void cpu_timer_switched(void);

/** personality.process_cpu_ns and process_cpu_due: each process has its own clock, which stands still while others
 * run. */
uint64_t cpu_timer_process_cpu(void);
uint64_t cpu_timer_due(const struct process *process, uint64_t cpu_ns);

#endif
