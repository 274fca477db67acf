/* SPDX-License-Identifier: MIT */
/* Shared by policies: the layout of their state in the boot area and the schedule area, the threads that can run, and
 * slices. */
#ifndef KERNEL_SCHED_POLICY_STATE_H
#define KERNEL_SCHED_POLICY_STATE_H

#include "abi/sched_area.h"
#include "abi/sched_parameters.h"
#include "kernel/sched/policy.h"
#include "kernel/time/vclock.h"

/** Words of sched_shared.random. */
enum policy_state {
	STATE_STREAM, /**< numbers drawn from the random stream */
	STATE_RUNNER, /**< fifo, rr: the thread that owns the slice; 0: a slice starts with the next thread chosen */
	STATE_JUMPS = STATE_RUNNER, /**< the others: the chance of a jump at a decision point, out of 2^64 */
	STATE_SLICE,                /**< start of the slice in ticks, as if it had not been interrupted */
	STATE_OTHERS,               /**< number of threads that could run besides the running one */
	STATE_OWN,                  /**< from here on the words belong to each policy */
};

/** Words of a slot: the thread's priority, if the policy has priorities; the used part of its slice, in ticks. */
#define SLOT_PRIORITY 0
#define SLOT_USED 3

/** The last words of sched_area.policy hold a block of the random stream; the others belong to each policy. */
#define POLICY_STREAM_WORDS 8
#define POLICY_OWN_WORDS (4096 - POLICY_STREAM_WORDS)

static inline uint64_t *policy_state(unsigned word)
{
	return &sched_shared()->random[word];
}

static inline uint64_t *policy_slot(const struct thread *thread)
{
	return sched_area()->slots[thread->slot].word;
}

static inline struct thread *policy_ready_first(void)
{
	return sched_ready_count() ? sched_ready_at(0) : NULL;
}

/** The first thread that can run. `others`: leaves current out if there is another one. */
static inline struct thread *policy_first(const struct sched_question *question, bool others)
{
	struct thread *first = policy_ready_first();
	return question->goes_on && !(others && first) ? question->current : first;
}

/** The next thread that can run, or NULL. */
static inline struct thread *policy_next(const struct sched_question *question, const struct thread *thread)
{
	return question->goes_on && thread == question->current ? policy_ready_first() : thread->next;
}

/** The number of threads that policy_first and policy_next visit. */
static inline unsigned policy_count(const struct sched_question *question, bool others)
{
	unsigned ready = sched_ready_count();
	return question->goes_on && !(others && ready) ? ready + 1 : ready;
}

/** Whether a Linux program's thread is in a part of libc that no program can enter otherwise: it blocks the signals
 * that libc keeps to itself. glibc does so from before clone(2) until pthread_create is almost over, in a new thread
 * until its function is called, and in a thread that ends. Decisions there would put a new thread at a disadvantage
 * against its creator: it has to pass all these points before its first one in the program. */
static inline bool policy_is_in_libc(const struct thread *thread)
{
	const uint64_t own = 3UL << 31; /* signals 32 and 33 */
	return (thread->signals.blocked & own) == own;
}

/** Notes the number of other threads. For pick() of policies that want to be asked at each point. */
static inline void policy_note_others(const struct sched_question *question)
{
	*policy_state(STATE_OTHERS) = policy_count(question, false) - 1;
}

/** The next point to ask at, for arm() of policies that ask at each point. POLICY_NEVER while no other thread is ready:
 * created() and woken() then ask for an earlier question. */
static inline uint64_t policy_next_point(void)
{
	return *policy_state(STATE_OTHERS) ? 1 : POLICY_NEVER;
}

/* Slices of fifo and rr, which have no slots: a slice lasts until another thread runs. */

/** Whether the running thread has used up its slice. */
static inline bool policy_slice_is_over(uint64_t slice)
{
	return slice != SCHED_NEVER && vclock_ticks() - *policy_state(STATE_SLICE) >= slice;
}

/** The next arm() starts a new slice, even if the same thread continues. */
static inline void policy_slice_end(void)
{
	*policy_state(STATE_RUNNER) = 0;
}

/** Ticks left of the slice of the thread that runs next; starts a slice if it is another thread. For arm(). */
static inline uint64_t policy_slice_left(const struct thread *chosen, uint64_t slice)
{
	uint64_t now = vclock_ticks_inline();
	if (*policy_state(STATE_RUNNER) != chosen->number) {
		*policy_state(STATE_RUNNER) = chosen->number;
		*policy_state(STATE_SLICE) = now;
	}
	uint64_t ran = now - *policy_state(STATE_SLICE);
	if (slice == SCHED_NEVER)
		return POLICY_NEVER;
	return slice > ran ? slice - ran : 0;
}

/* Slices of the other policies: a slice is the total time that a thread may run until it gives way to all others,
 * however often it waits or others run in between. So each ready thread runs at the latest after one slice of each
 * other thread. */

/** The ticks of work so far: the virtual time without what jumps of time added. */
uint64_t policy_worked_ticks(void);

/** Gives the thread its whole slice again. For created(), and when the thread gives way. */
void policy_slice_renew(const struct thread *thread);

/** Number of decision points that use up a slice, if the policy charges points. Asking at a point costs time that the
 * slice's ticks do not include. */
#define SLICE_POINTS 65536

/** Charges the thread that ran, also with a decision point if `point`. Returns whether its slice is used up. For each
 * pick(). */
bool policy_slice_used_up(const struct thread *ran, uint64_t slice, bool point);

/** Ticks left of the slice of the thread that runs next. For each arm(). */
uint64_t policy_slice_rest(const struct thread *chosen, uint64_t slice);

/** The thread with the highest priority among those that can run. Of equals, current comes first, then the one ready
 * longest. */
struct thread *policy_highest(const struct sched_question *question);

/** The same among those that no constraint of sched_area.counts holds back, if there is one (policy_reads.c). For
 * pick() of a policy whose parameters have constraints. */
struct thread *policy_reads_highest(const struct sched_question *question);

/** Whether orders of accesses hold back all threads that can run: others may sleep, and time is to jump to their
 * waking. For jumps(). */
bool policy_reads_awaits(const struct sched_question *question);

/** The next point to ask at: as policy_next_point, but each one as long as an order may hold the only thread back. For
 * arm(). */
uint64_t policy_reads_next_point(void);

/** Takes up the constraints. For init(). */
void policy_reads_init(void);

/** The state of constraints with SCHED_PAIR_ORDER (policy_order.c) is in the words of the policy behind so many of each
 * constraint. */
#define POLICY_ORDER_FROM 2

/** Takes up a constraint with SCHED_PAIR_ORDER, by its index. For policy_reads_init. */
void policy_order_init(uint64_t constraint);

/** The thread that a constraint with SCHED_PAIR_ORDER wants to run now, or NULL. */
struct thread *policy_order_next(const struct sched_question *question, uint64_t constraint);

/** Whether a constraint with SCHED_PAIR_ORDER holds a thread back. */
bool policy_order_holds(uint64_t constraint, const struct thread *thread);

/** Draws how often time jumps at decision points of this run. For init(). */
void policy_jump_init(void);

/** Whether time jumps to the next timer or timeout; struct sched_policy, jumps, of the searching policies. */
bool policy_jump(const struct sched_question *question, uint64_t ns);

/** Whether it may jump so far: no thread is slower than `delay`. */
bool policy_jump_is_possible(uint64_t ns);

/** A uniform choice, for policies without a preference. */
unsigned policy_choose_any(const struct sched_choice *choice);

/** Starts the random stream. For init(). */
void policy_random_init(void);

/** A uniform 64-bit number. */
uint64_t policy_random_word(void);

/** The number of trials up to the first success, at least 1, when each succeeds with probability chance / 2^64 (0: 1).
 * One draw, so that a rare event costs nothing until it comes. */
uint64_t policy_random_distance(uint64_t chance);

#endif
