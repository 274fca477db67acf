/* SPDX-License-Identifier: MIT */
/* Waiting: what happens when the thread cannot go on. With one thread, time jumps or the run is at an end. */
#ifndef KERNEL_SCHED_SCHED_H
#define KERNEL_SCHED_SCHED_H

#include <stdint.h>

#define SCHED_FOREVER UINT64_MAX

/** Ends the run (status 120): nothing can ever wake the thread, which waits for `what`. */
_Noreturn void sched_deadlock(const char *what);

/**
 * Waits until virtual time deadline_ns (SCHED_FOREVER: without end) or a signal that is to be delivered.
 * Returns 0 at the deadline, -EINTR for a signal. `what` names the reason in a deadlock report.
 */
int sched_wait_until(uint64_t deadline_ns, const char *what);

#endif
