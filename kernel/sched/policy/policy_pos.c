/* SPDX-License-Identifier: MIT */
/* Partial-order sampling: Yuan, Yang and Gu, "Partial Order Aware Concurrency Sampling", CAV 2018.
 *
 * An event is a thread's work between two decision points; each event has a random priority. Of the events that can
 * happen, the one with the highest priority happens. Then every other event that races with it gets a new priority. So
 * the order of racing events is drawn again and again, while independent events are left alone.
 *
 * Not in the paper: two events race when they are on the same object and at least one of them writes; 8 bytes of memory
 * count as one object. Two system calls race unless both name objects and the objects differ. The event after a wait, a
 * tick or a thread's start races with no other event.
 *
 * Threads that spin are not in the paper either. By the paper, each iteration of a loop is an event with its own
 * priority, while the event that the loop waits for keeps its priority p. That event comes after 1/p iterations on
 * average, and since p is uniform the expected number is infinite. With k threads whose iterations race with each other
 * it takes 1/p^k iterations on average. Therefore a thread gives way when it yields, has run for a slice, or has passed
 * SLICE_POINTS points, counted since it last gave way. Its event's priority is then lower than all drawn priorities,
 * and lower than those of threads that gave way before. No race changes it until the thread was chosen. So each ready
 * thread runs at the latest after one slice of each other thread. Where no thread yields or runs for that long, this is
 * the paper's algorithm.
 *
 * With `reads`, threads that its constraints hold back are passed over (policy_reads.c). */
#include "abi/sched_op.h"
#include "kernel/sched/policy_state.h"

enum { /* words of a slot */
       PRIORITY = SLOT_PRIORITY,
       OP,
       OBJECT,
};

_Static_assert(OBJECT < SLOT_USED, "words of a slot");

/* Lower bound of drawn priorities. Priorities of threads that gave way are below, each lower than the last. */
#define PRIORITY_DRAWN (1UL << 63)

enum {
	LOWEST = STATE_OWN, /* the last priority given to a thread that gave way */
};

static uint64_t pos_slice(void)
{
	return SCHED_PARAMETER(sched_boot(), pos, slice);
}

static bool only_reads(uint64_t op)
{
	return op == SCHED_OP_load || op == SCHED_OP_pthread_rwlock_rdlock || op == SCHED_OP_pthread_join;
}

static bool races(const uint64_t *a, const uint64_t *b)
{
	if (a[OP] == SCHED_OP_NONE || b[OP] == SCHED_OP_NONE)
		return false;
	if (a[OBJECT] && b[OBJECT])
		return a[OBJECT] / 8 == b[OBJECT] / 8 && !(only_reads(a[OP]) && only_reads(b[OP]));
	return a[OP] < SCHED_OP_FIRST && b[OP] < SCHED_OP_FIRST;
}

static uint64_t draw(void)
{
	return PRIORITY_DRAWN | policy_random_word() >> 1;
}

static void set_event(const struct thread *thread, uint64_t op, const void *object)
{
	uint64_t *slot = policy_slot(thread);
	slot[PRIORITY] = draw();
	slot[OP] = op;
	slot[OBJECT] = (uint64_t)object;
}

static void pos_init(const struct boot_sched *boot)
{
	(void)boot;
	policy_random_init();
	policy_jump_init();
	policy_reads_init();
	*policy_state(LOWEST) = PRIORITY_DRAWN;
}

static void pos_created(const struct thread *thread)
{
	set_event(thread, SCHED_OP_NONE, NULL);
	policy_slice_renew(thread);
	policy_ask_soon();
	policy_ask_woken();
}

/* The thread continues the event in which it waited. */
static void pos_woken(const struct thread *thread)
{
	policy_slot(thread)[PRIORITY] = draw();
	policy_ask_soon();
	policy_ask_woken();
}

static void lower_pos_priority(const struct thread *current)
{
	policy_slot(current)[PRIORITY] = --*policy_state(LOWEST);
	policy_slice_renew(current);
}

static struct thread *pos_pick(const struct sched_question *question)
{
	bool over = policy_slice_used_up(question->current, pos_slice(), question->kind == SCHED_KIND_preempt);
	policy_note_others(question);
	if (question->kind == SCHED_KIND_preempt) {
		set_event(question->current, question->op, question->object);
	} else if (question->kind == SCHED_KIND_tick && !over) {
		return question->current;
	} else if (question->goes_on) {
		set_event(question->current, SCHED_OP_NONE, NULL);
	}
	if (question->goes_on && (over || question->kind == SCHED_KIND_yield))
		lower_pos_priority(question->current);
	struct thread *best = policy_reads_highest(question);
	for (struct thread *thread = policy_first(question, false); thread; thread = policy_next(question, thread))
		if (thread != best && policy_slot(thread)[PRIORITY] >= PRIORITY_DRAWN &&
		    races(policy_slot(thread), policy_slot(best)))
			policy_slot(thread)[PRIORITY] = draw();
	return best;
}

static bool pos_jumps(const struct sched_question *question, uint64_t ns)
{
	return policy_reads_awaits(question) ? policy_jump_is_possible(ns) : policy_jump(question, ns);
}

static void pos_arm(const struct thread *chosen)
{
	policy_arm(policy_reads_next_point(), policy_slice_rest(chosen, pos_slice()));
}

const struct sched_policy policy_pos = {
	.name = "pos",
	.init = pos_init,
	.created = pos_created,
	.woken = pos_woken,
	.pick = pos_pick,
	.jumps = pos_jumps,
	.choose = policy_choose_any,
	.arm = pos_arm,
};
