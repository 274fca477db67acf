/* SPDX-License-Identifier: MIT */
/* Deadlock: the end of a run in which no thread can ever run again (status 120). */
#ifndef KERNEL_SCHED_DEADLOCK_H
#define KERNEL_SCHED_DEADLOCK_H

#include <stdint.h>

#include "kernel/sched/thread.h"

/** The registers that a report shows for a waiting thread, as in struct fault_report: those of its context. The Linux
 * personality has its own version. */
void deadlock_registers(const struct thread *thread, uint64_t registers[17]);

/** Ends the run and reports what each thread waits for. */
_Noreturn void deadlock(void);

#endif
