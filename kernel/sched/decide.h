/* SPDX-License-Identifier: MIT */
/* Decisions: how the core of the scheduler asks the policy, in which order the accounts of points and records follow.
 *
 * All of it runs on the policies' stack, with virtual time (vclock_ticks) standing still. After each of these the core
 * sets the countdown of ticks up anew, for the earlier of the next timer or timeout and sched_shared()->policy_ticks.
 *
 * Questions:
 *   preempt  points_left fell below 0 at a decision point: asked always, even when no other thread is ready
 *   tick     vclock_ticks() >= policy_ticks at a tick check: asked always. May be asked at others as well (a timer's)
 *   yield    asked when another thread is ready
 *   block    the thread waits. Asked once some thread is ready, which may be that thread itself: first those who can be
 *            woken at that moment are in the queue, then it is asked
 *   exit     the thread has ended (sched_decide_ended was called). Asked once some thread is ready
 * What a thread does before it waits, yields or exits and what others are woken by belongs to it, so a choice that is
 * made while nobody runs is that of the thread that ran last. */
#ifndef KERNEL_SCHED_DECIDE_H
#define KERNEL_SCHED_DECIDE_H

#include "kernel/sched/policy.h"

/** Begins: the first thread runs. The points and records are counted from here. */
void sched_decide_init(const struct sched_policy *policy, const struct boot_sched *boot, const struct thread *first);

/** Who goes on. The core switches to it, or returns to question->current. */
struct thread *sched_decide(const struct sched_policy *policy, const struct sched_question *question);

/** Which option is taken; `running` is the thread that runs, or ran last. With a single option nobody is asked. */
unsigned sched_decide_choice(const struct sched_policy *policy, const struct thread *running,
                             const struct sched_choice *choice);

/** A thread was made, has ended, or was woken: after it is in the ready queue, or will never be again. */
void sched_decide_created(const struct sched_policy *policy, const struct thread *thread);
void sched_decide_ended(const struct sched_policy *policy, const struct thread *thread);
void sched_decide_woken(const struct sched_policy *policy, const struct thread *thread);

/**
 * The run ends by exit, by a signal or for want of a thread that could go on; not when the schedule does not fit, nor
 * at a panic. `how` completes the sentence "but the run ...": "exits", "ends by SIGSEGV", "cannot go on".
 */
void sched_decide_end(const struct sched_policy *policy, const struct thread *running, const char *how);

/** The number of the decision at hand: decision points passed and choices made since the start of the run. */
uint64_t sched_decision(void);

#endif
