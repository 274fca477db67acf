/* SPDX-License-Identifier: MIT */
/* A random walk: at each decision point and after each call that wakes a thread, or at each with probability p, every
 * thread that can run is chosen with equal probability.
 *
 * In addition, threads are replaced at random times, `ticks` apart on average and geometrically distributed: each tick
 * is equally likely, and so is each iteration of a loop that passes no decision point. */
#include "kernel/sched/policy_state.h"

enum {
	NEXT_POINT = STATE_OWN, /* the decision at which to choose a thread at random */
	NEXT_TICK,              /* the time of the next random switch, in ticks */
};

/* Word of a slot: points in libc that the thread has passed without a decision. */
#define SLOT_IN_LIBC SLOT_PRIORITY

/* Limit of that word: a program that blocks all signals itself still has decisions. pthread_create and a thread's start
 * have fewer than 30 points with --preempt=atomics. */
#define IN_LIBC_MAX 64

/* The chance that a decision point is used, as policy_random_distance takes it. */
static uint64_t point_chance(void)
{
	uint64_t p = SCHED_PARAMETER(sched_boot(), random, p);
	if (p >= SCHED_CHANCE_ONE)
		return 0;
	return (uint64_t)(((unsigned __int128)p << 64) / SCHED_CHANCE_ONE);
}

static void draw_random_point(void)
{
	*policy_state(NEXT_POINT) = sched_shared()->decision + policy_random_distance(point_chance());
}

static void draw_tick(void)
{
	uint64_t mean = SCHED_PARAMETER(sched_boot(), random, ticks);
	uint64_t chance = mean == 1 ? 0 : (uint64_t)(((unsigned __int128)1 << 64) / mean);
	uint64_t tick;
	bool never =
		mean == SCHED_NEVER || __builtin_add_overflow(vclock_ticks(), policy_random_distance(chance), &tick);
	*policy_state(NEXT_TICK) = never ? POLICY_NEVER : tick;
}

static void random_init(const struct boot_sched *boot)
{
	(void)boot;
	policy_random_init();
	policy_jump_init();
	draw_random_point();
	draw_tick();
}

/* Whether the thread passes a point without a decision, because it is in libc. */
static bool passes(const struct thread *thread)
{
	uint64_t *passed = &policy_slot(thread)[SLOT_IN_LIBC];
	*passed = policy_is_in_libc(thread) ? *passed + 1 : 0;
	return *passed && *passed <= IN_LIBC_MAX;
}

/* Another thread can run now. Points passed while no other thread could run do not make a switch due. */
static void random_woken(const struct thread *thread)
{
	(void)thread;
	policy_ask_soon();
	policy_ask_woken();
	if (*policy_state(NEXT_POINT) <= sched_shared()->decision)
		draw_random_point();
}

static void random_created(const struct thread *thread)
{
	policy_slot(thread)[SLOT_IN_LIBC] = 0;
	random_woken(thread);
}

static struct thread *random_pick(const struct sched_question *question)
{
	policy_note_others(question);
	if (question->kind == SCHED_KIND_preempt) {
		if (sched_shared()->decision < *policy_state(NEXT_POINT) || passes(question->current))
			return question->current;
		draw_random_point();
	} else if (question->kind == SCHED_KIND_woken) {
		if (policy_random_below(SCHED_CHANCE_ONE) >= SCHED_PARAMETER(sched_boot(), random, p))
			return question->current;
	} else if (question->kind == SCHED_KIND_tick) {
		if (vclock_ticks() < *policy_state(NEXT_TICK))
			return question->current;
		draw_tick();
	}
	bool others = question->kind == SCHED_KIND_yield;
	uint64_t index = policy_random_below(policy_count(question, others));
	struct thread *thread = policy_first(question, others);
	while (index--)
		thread = policy_next(question, thread);
	return thread;
}

static void random_arm(const struct thread *chosen)
{
	(void)chosen;
	uint64_t now = vclock_ticks(), decision = sched_shared()->decision;
	uint64_t point = *policy_state(NEXT_POINT), tick = *policy_state(NEXT_TICK);
	uint64_t points = point > decision ? point - decision : 1;
	if (!*policy_state(STATE_OTHERS))
		points = POLICY_NEVER;
	policy_arm(points, tick == POLICY_NEVER ? POLICY_NEVER : tick > now ? tick - now : 0);
}

const struct sched_policy policy_random = {
	.name = "random",
	.init = random_init,
	.created = random_created,
	.woken = random_woken,
	.pick = random_pick,
	.jumps = policy_jump,
	.choose = policy_choose_any,
	.arm = random_arm,
};
