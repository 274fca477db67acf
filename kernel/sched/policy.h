/* SPDX-License-Identifier: MIT */
/* What a scheduling policy is: it picks who goes on, and says when it wants to be asked again.
 *
 * Policies run on a stack of their own and write to the boot area and the schedule area only (abi/sched.h): no static
 * variable, no field of a thread. What they leave behind elsewhere would make a replayed run differ. */
#ifndef KERNEL_SCHED_POLICY_H
#define KERNEL_SCHED_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/boot.h"
#include "abi/sched.h"
#include "kernel/arch/direct_map.h"
#include "kernel/sched/thread.h"

/**
 * A choice that is not who runs: which of several is woken, and the like. Options are gone through, not counted: there
 * may be thousands, of which most policies take the first.
 */
struct sched_choice {
	enum sched_kind kind; /**< wake, timeout or signal */
	/** wake, signal: the option after another, NULL: the first; NULL when there is none. */
	const void *(*next)(const struct sched_choice *choice, const void *option);
	/** The number of the thread that an option is about. */
	uint32_t (*number)(const void *option);
	const void *context;
};

/** How many options there are. A timeout has two: the wake-up, and the timeout. */
unsigned sched_choice_count(const struct sched_choice *choice);

/** The index-th option of a wake or a signal; NULL: there are fewer. */
const void *sched_choice_at(const struct sched_choice *choice, unsigned index);

/** Why a policy is asked who goes on. */
struct sched_question {
	enum sched_kind kind;   /**< preempt, tick, block, yield, exit */
	struct thread *current; /**< the thread that ran; it is not in the ready queue, but for block it may be */
	bool goes_on;           /**< current could go on: for preempt, tick, yield */
	/** preempt: what current is about to do, an enum sched_op or a system call's number; else what it was doing. It
	 * is not kept in struct thread: it is known only when a policy is asked, and memory must not tell that. */
	uint16_t op;
	const void *object; /**< preempt: the object of that, NULL: none */
};

struct sched_policy {
	const char *name;
	/** Once, before the first thread is made; may be NULL, as all but pick and arm. */
	void (*init)(const struct boot_sched *boot);
	/** A thread is made, or has ended; its slot is thread->slot. */
	void (*created)(const struct thread *thread);
	void (*ended)(const struct thread *thread);
	/** A thread was woken and is ready: it may be that current should give way (policy_ask_soon). */
	void (*woken)(const struct thread *thread);
	/** Who goes on: question->current, if it can, or a thread of the ready queue, which is not empty otherwise. */
	struct thread *(*pick)(const struct sched_question *question);
	/** The index of the option that is taken, of at least two; NULL: always the first. */
	unsigned (*choose)(const struct sched_choice *choice);
	/** After each pick, and for the first thread: sets when it is asked again, by policy_arm. */
	void (*arm)(const struct thread *chosen);
	/** The run ends while `thread` runs or was the last to run; `how` completes "but the run ...". */
	void (*end)(uint32_t thread, const char *how);
	bool records; /**< it makes the records itself (record.h) */
};

/** Each policy; policy_replay.c, policy_fifo.c (fifo and rr), policy_random.c, policy_pct.c, ... */
extern const struct sched_policy policy_fifo, policy_rr, policy_random, policy_pct, policy_pos, policy_surw,
	policy_replay;

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

/** Of the core, for policies: whether a thread exists. The moment is vclock_ticks() (kernel/time/vclock.h). */
struct thread *thread_numbered(uint32_t number);

#define POLICY_NEVER UINT64_MAX

/**
 * Asks to be asked at the points-th decision point from now (1: the next one; POLICY_NEVER: at none), and at the first
 * tick check after `ticks` more ticks have passed (0: at the next; POLICY_NEVER: never). Valid in arm() and choose().
 */
void policy_arm(uint64_t points, uint64_t ticks);

/** Asks to be asked at the next decision point, whatever was wished. Valid in created() and woken(). */
void policy_ask_soon(void);

/** Asks to be asked at the next decision point, or at a tick check when none comes for so many ticks. Likewise. */
void policy_ask_within(uint64_t ticks);

/** A uniform number in [0, below), from the scheduler's own stream (--sched-seed). below must not be 0. */
uint64_t policy_random_below(uint64_t below);

/**
 * Of the ready queue: how many, and the index-th, 0 being ready for longest. sched_ready_at(0) is cheap, and from there
 * thread->next leads to the others; the last one's is NULL.
 */
unsigned sched_ready_count(void);
struct thread *sched_ready_at(unsigned index);

/** The schedule does not fit: ends the run with the number of the record, from 0, and a line that says why. */
_Noreturn void policy_replay_failed(uint64_t record, const char *why);

/** The replay has come to where the recorded run was stopped from outside: ends it. The points are settled. */
_Noreturn void policy_replay_stopped(void);

#endif
