/* SPDX-License-Identifier: MIT */
/* Deadlock: the end of a run in which no thread can ever run again (status 120). */
#ifndef KERNEL_SCHED_DEADLOCK_H
#define KERNEL_SCHED_DEADLOCK_H

#include <stdint.h>

#include "kernel/sched/thread.h"

/** personality.thread_registers where kernel calls run on the thread's own stack: the registers of its context. */
void deadlock_registers(const struct thread *thread, uint64_t registers[17]);

/** Ends the run and reports what each thread waits for. */
_Noreturn void deadlock(void);

#endif
