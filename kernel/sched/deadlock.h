/* SPDX-License-Identifier: MIT */
/* The end of a run in which no thread can ever go on (status 120). */
#ifndef KERNEL_SCHED_DEADLOCK_H
#define KERNEL_SCHED_DEADLOCK_H

#include <stdint.h>

#include "kernel/sched/thread.h"

/** The registers that a waiting thread is told of by, as in struct fault_report: those of its context; the Linux
 * personality has a function of its own. */
void deadlock_registers(const struct thread *thread, uint64_t registers[17]);

/** Ends the run, and tells what each thread waits for. */
_Noreturn void deadlock(void);

#endif
