/* SPDX-License-Identifier: MIT */
/* Decisions: how the scheduler asks the policy, and in which order the accounts of points and records follow.
 *
 * All functions run on the policies' stack, while virtual time (vclock_ticks) stands still. After each of them the
 * scheduler rearms the countdown of ticks, for the earlier of the next timer or timeout and
 * sched_shared()->policy_ticks.
 *
 * Questions:
 * - preempt: points_left fell below 0 at a decision point. Always asked, even when no other thread is ready.
 * - tick: vclock_ticks() >= policy_ticks at a tick check. Always asked. Other tick checks (a timer's) may ask, too.
 * - woken: instead of tick, if the policy asked for it by policy_ask_woken; and after a jump at a decision point.
 * - yield: asked when another thread is ready.
 * - block: the thread waits. Asked as soon as a thread is ready, which may be the waiting thread itself. Threads that
 *   can be woken at that moment are put into the queue before the question.
 * - exit: the thread has ended (sched_decide_ended was called). Asked as soon as a thread is ready.
 *
 * A thread's actions before it waits, yields or exits count as that thread's, and so do the events that then wake other
 * threads. So a choice made while no thread runs belongs to the thread that ran last. */
#ifndef KERNEL_SCHED_DECIDE_H
#define KERNEL_SCHED_DECIDE_H

#include "kernel/sched/policy.h"

/** Starts with the first thread running. Points and records are counted from here. */
void sched_decide_init(const struct sched_policy *policy, const struct boot_sched *boot, const struct thread *first);

/** Starts another policy in the middle of a run, where `running` goes on. Points and records are counted on. */
void sched_decide_begin(const struct sched_policy *policy, const struct boot_sched *boot, const struct thread *running);

/** Returns the thread that runs next. The scheduler switches to it, or returns to question->current. */
struct thread *sched_decide(const struct sched_policy *policy, const struct sched_question *question);

/** Whether time jumps ns ahead, to the next timer or timeout, before the question is asked. If so, the scheduler wakes
 * the threads that are then due, and asks this question, or woken in the place of preempt. */
bool sched_decide_jumps(const struct sched_policy *policy, const struct sched_question *question, uint64_t ns);

/** The kind of the question at a tick check: tick or woken. */
enum sched_kind sched_decide_tick_kind(void);

/** Returns the index of the chosen option. `running` is the thread that runs, or ran last. A single option is taken
 * without asking. */
unsigned sched_decide_choice(const struct sched_policy *policy, const struct thread *running,
                             const struct sched_choice *choice);

/** A thread was created, has ended, or was woken. Called after it entered the ready queue, or left it for good. */
void sched_decide_created(const struct sched_policy *policy, const struct thread *thread);
void sched_decide_ended(const struct sched_policy *policy, const struct thread *thread);
void sched_decide_woken(const struct sched_policy *policy, const struct thread *thread);

/** The run ends by exit, by a signal, or because no thread can run. Not called when the schedule does not fit, nor at a
 * panic. `how` completes the sentence "but the run ...": "exits", "ends by SIGSEGV", "cannot go on". */
void sched_decide_end(const struct sched_policy *policy, const struct thread *running, const char *how);

/** The number of the current decision: decision points passed and choices made since the start of the run. */
uint64_t sched_decide_number(void);

#endif
