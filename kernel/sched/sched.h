/* SPDX-License-Identifier: MIT */
/* The scheduler: who runs, who is ready, who waits for what. One thread runs until it waits or is replaced.
 *
 * Who goes on is the policy's decision (policy.h); all of them are made here. When nobody is ready, time jumps to what
 * comes next; when nothing can come, the run is at an end (status 120). */
#ifndef KERNEL_SCHED_SCHED_H
#define KERNEL_SCHED_SCHED_H

#include <stdint.h>

#include "kernel/sched/policy.h"
#include "kernel/sched/thread.h"

#define SCHED_FOREVER UINT64_MAX

/** Begins with the first thread and the policy that boot_info names. */
void sched_init(const struct boot_sched *boot);

/** Sets the clock's next moment anew: a timer or timeout has changed. */
void sched_clock_changed(void);

/**
 * Waits in a queue (NULL: in none) until sched_wake, deadline_ns (SCHED_FOREVER: without end), or a signal that is to
 * be delivered. Returns what sched_wake said, -ETIMEDOUT or -EINTR.
 */
int sched_wait(struct thread_queue *queue, uint64_t deadline_ns, const struct wait_reason *reason);

/** Waits for time to pass or a signal. Returns 0 at the deadline, -EINTR for a signal. */
int sched_wait_until(uint64_t deadline_ns, enum sched_cause cause, const char *what);

/** Makes a waiting thread ready; its wait returns `result`. */
void sched_wake(struct thread *thread, int result);

/**
 * A thread whose deadline has come is about to be woken for another reason: whether it is woken, and not timed out. If
 * not, the timeout has taken place.
 */
bool sched_wake_is_in_time(struct thread *thread);

/** The option of a wake or a signal that the policy takes, or the only one; NULL: there is none. */
const void *sched_choose(const struct sched_choice *choice);

/** Lets others run first. */
void sched_yield(void);

/** Bytes below `top` that sched_start writes, which must be there. */
#define SCHED_START_BYTES 80

/** Makes a new thread ready that starts at entry(argument) on the stack that ends at `top`. */
void sched_start(struct thread *thread, uint64_t top, void (*entry)(void *), void *argument);

/** Ends the running thread, of which nothing is left; another one runs. Its stack is not used any more. */
_Noreturn void sched_exit(void);

/** Wakes those whose deadlines have come, and sends the signals of timers. */
void sched_expire(void);

/** Closes the accounts and the schedule, for the end of a run; `how` completes "but the run ...". */
void sched_close(const char *how);

#endif
