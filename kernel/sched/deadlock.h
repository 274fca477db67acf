/* SPDX-License-Identifier: MIT */
/* The end of a run in which no thread can ever go on (status 120). */
#ifndef KERNEL_SCHED_DEADLOCK_H
#define KERNEL_SCHED_DEADLOCK_H

/** Ends the run, and tells what each thread waits for. */
_Noreturn void deadlock(void);

#endif
