/* SPDX-License-Identifier: MIT */
/* The scheduler: which thread runs, which threads are ready, and which wait. One thread runs until it waits or is
 * replaced.
 *
 * The policy decides which thread runs next (policy.h), and the scheduler asks it here. When no thread is ready, time
 * jumps to the next timer or timeout. Without a timer or timeout, the run ends (status 120). A policy that searches may
 * let time jump while a thread is ready, too. */
#ifndef KERNEL_SCHED_SCHED_H
#define KERNEL_SCHED_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/thread.h"

struct boot_sched;
struct sched_choice;
struct sched_from;

#define SCHED_FOREVER UINT64_MAX

/** Starts with the first thread and the policy of boot_info, or with fifo if that policy starts later, at `from`. */
void sched_init(const struct boot_sched *boot, const struct sched_from *from);

/** Starts a policy. Its created() is called for each living thread, in the order of their numbers. The running thread
 * goes on to its next decision point. The policy does not count points that were passed before. Only on the policies'
 * stack, with no question open. */
void sched_begin(const struct boot_sched *boot);

/** Waits in a queue (NULL: none) until sched_wake, until deadline_ns (SCHED_FOREVER: no deadline), or until a signal
 * can be delivered. Returns the result passed to sched_wake, -ETIMEDOUT or -EINTR. */
int sched_wait(struct thread_queue *queue, uint64_t deadline_ns, const struct wait_reason *reason);

/** Waits until a time or a signal. Returns 0 at the deadline, -EINTR for a signal. */
int sched_wait_until(uint64_t deadline_ns, enum sched_cause cause, const char *what);

/** Makes a waiting thread ready; its wait returns `result`. */
void sched_wake(struct thread *thread, int result);

/** Called before a thread whose deadline has come is woken for another reason. Returns whether the wake-up counts; if
 * not, the timeout has taken place. */
bool sched_wake_is_in_time(struct thread *thread);

/** The option of a wake or a signal that the policy chooses; NULL: no option. */
const void *sched_choose(const struct sched_choice *choice);

/** Lets the other threads run first. */
void sched_yield(void);

/** Bytes below `top` that sched_start writes; they must be accessible. */
#define SCHED_START_BYTES 80

/** Makes a new thread ready: it starts with entry(argument) on the stack that ends at `top`. */
void sched_start(struct thread *thread, uint64_t top, void (*entry)(void *), void *argument);

/** Ends the running thread, whose resources are released already; another thread runs. Its stack is no longer used. */
_Noreturn void sched_exit(void);

/** If set, called when no thread is ready, before time jumps to until_ns. The function waits for input from outside,
 * and returns whether input came. It may make a thread ready. */
extern bool (*sched_outside)(uint64_t until_ns);

/** Wakes threads whose deadlines have come, and sends the signals of timers. */
void sched_expire(void);

#endif
