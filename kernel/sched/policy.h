/* SPDX-License-Identifier: MIT */
/* The interface of a scheduling policy: it picks the next thread, and says when to ask it again.
 *
 * Policies run on a stack of their own and write only to the boot area and the schedule area (abi/sched_area.h): no
 * static variable, no field of a thread. Any other trace of them would make a replayed run differ. */
#ifndef KERNEL_SCHED_POLICY_H
#define KERNEL_SCHED_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/boot.h"
#include "abi/sched_record.h"
#include "abi/sched_shared.h"
#include "kernel/arch/direct_map.h"
#include "kernel/sched/thread.h"

struct sched_area;

/** A choice other than the next thread, such as which of several waiters is woken. Options are visited one by one:
 * there may be thousands, and most policies take the first. */
struct sched_choice {
	enum sched_kind kind; /**< wake, timeout or signal */
	/** wake, signal: the option after `option`; NULL as argument: the first one; returns NULL at the end. */
	const void *(*next)(const struct sched_choice *choice, const void *option);
	/** The number of the thread that an option is about. */
	uint32_t (*number)(const void *option);
	const void *context;
};

/** The number of options. A timeout has two: the wake-up, and the timeout. */
unsigned policy_choice_count(const struct sched_choice *choice);

/** The index-th option of a wake or a signal; NULL: there are fewer. */
const void *policy_choice_at(const struct sched_choice *choice, unsigned index);

/** The question which thread runs next, and why it is asked. */
struct sched_question {
	enum sched_kind kind;   /**< preempt, tick, woken, block, yield, exit */
	struct thread *current; /**< the thread that ran; it is not in the ready queue, except perhaps for block */
	bool goes_on;           /**< current could go on: for preempt, tick, woken, yield */
	/** preempt: the next operation of current, an enum sched_op or a system call number; else its last one. struct
	 * thread does not have it: it is known only when a policy is asked, and memory must not show whether one
	 * was. */
	uint16_t op;
	bool has_loaded;    /**< preempt: its instruction has loaded from the object already, which it is to change */
	const void *object; /**< preempt: the object of that operation, NULL: none */
};

struct sched_policy {
	const char *name;
	/** Called once, before the first thread is made. Each function but pick and arm may be NULL. */
	void (*init)(const struct boot_sched *boot);
	/** A thread was made, or has ended; its slot is thread->slot. */
	void (*created)(const struct thread *thread);
	void (*ended)(const struct thread *thread);
	/** A thread was woken and is ready. To make the running thread give way, the policy calls policy_ask_soon. */
	void (*woken)(const struct thread *thread);
	/** Returns the next thread: question->current if it can run, or a thread of the ready queue. The ready queue is
	 * not empty if current cannot run. */
	struct thread *(*pick)(const struct sched_question *question);
	/** Whether time jumps ns ahead, to the next timer or timeout, before the question is asked (preempt, block,
	 * yield, exit). A thread is ready or goes on. NULL: never. */
	bool (*jumps)(const struct sched_question *question, uint64_t ns);
	/** Returns the index of the chosen option, of at least two. NULL: always the first. */
	unsigned (*choose)(const struct sched_choice *choice);
	/** Called after each pick, and for the first thread: sets by policy_arm when to ask next. */
	void (*arm)(const struct thread *chosen);
	/** The run ends while `thread` runs, or it ran last; `how` completes "but the run ...". */
	void (*end)(uint32_t thread, const char *how);
	bool records; /**< the policy writes the records itself (record.h) */
};

/** The policies, in policy/policy_replay.c, policy_fifo.c (fifo and rr), policy_random.c, policy_pct.c, ... */
extern const struct sched_policy policy_fifo, policy_rr, policy_random, policy_pct, policy_pos, policy_surw,
	policy_replay, policy_near;

static inline struct sched_shared *sched_shared(void)
{
	return phys_to_virt(LAYOUT_SCHED);
}

static inline struct sched_area *sched_area(void)
{
	return phys_to_virt(LAYOUT_SCHEDULE);
}

static inline const struct boot_sched *sched_boot(void)
{
	return &sched_shared()->boot;
}

/** Functions of the scheduler for policies. This one finds a thread, or NULL. The time is vclock_ticks()
 * (kernel/time/vclock.h). */
struct thread *thread_numbered(uint32_t number);

#define POLICY_NEVER UINT64_MAX

/** Requests the next question at the points-th decision point from now (1: the next one; POLICY_NEVER: none), and at
 * the first tick check after `ticks` more ticks (0: the next one; POLICY_NEVER: none). Valid in arm() and choose(). */
void policy_arm(uint64_t points, uint64_t ticks);

/** Requests the next question at the next decision point, whatever was requested before. Valid in created() and
 * woken(). */
void policy_ask_soon(void);

/** Requests the next question at the next decision point, or at a tick check if no point comes within `ticks`. Valid in
 * created() and woken(). */
void policy_ask_within(uint64_t ticks);

/** Requests a question of kind woken at the next tick check, such as the end of the running kernel call. Any other
 * question that comes first replaces it. Valid in created() and woken(), and in arm() after policy_arm. */
void policy_ask_woken(void);

/** A uniform number in [0, below), from the scheduler's own stream (--sched-seed). below must not be 0. */
uint64_t policy_random_below(uint64_t below);

/** The number of threads in the ready queue, and the index-th of them; index 0 has been ready longest.
 * sched_ready_at(0) is cheap; thread->next leads from it to the others, and is NULL at the last. */
unsigned sched_ready_count(void);
struct thread *sched_ready_at(unsigned index);

/** The schedule does not fit the program: ends the run with the record's number, from 0, and a line that says why. */
_Noreturn void policy_replay_failed(uint64_t record, const char *why);

/** The replay has reached the place where the recorded run was stopped from outside: ends the run. The points are
 * settled. */
_Noreturn void policy_replay_stopped(void);

#endif
