/* SPDX-License-Identifier: MIT */
/* Reads-from pairs: which ones a run has, that noting them changes nothing, and what constraints on them do. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/sched/policy_state.h"
#include "kernel/sched/reads_from.h"
#include "tests/unit/sched/model.h"

#define ACCESS(op, object) \
	{ \
		STEP_ACCESS, SCHED_OP_##op, object \
	}
#define PAIR(object, write, read) \
	((uint64_t)MODEL_SITE(SCHED_OP_##write, object) << 32 | MODEL_SITE(SCHED_OP_##read, object))
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const struct step stores[] = {ACCESS(store, 1), {STEP_END, 0, 0}};
static const struct step loads[] = {ACCESS(load, 1), {STEP_END, 0, 0}};

static const struct sched_reads *reads(void)
{
	return &sched_area()->reads;
}

static void run(struct model *model, enum sched_policy_id policy, uint64_t seed)
{
	model_boot(policy, seed)->flags = SCHED_FLAG_READS;
	model_run(model);
	assert_int_equal(model->end, MODEL_DONE);
}

static void test_pairs_of_a_run(void **state)
{
	const struct step *const first[] = {stores, loads}, *const last[] = {loads, stores};
	struct model model = {.scripts = first, .started = 2};
	(void)state;
	run(&model, SCHED_fifo, 1);
	assert_int_equal(reads()->pairs, 1);
	assert_int_equal(reads()->listed[0], PAIR(1, store, load));
	assert_int_not_equal(reads()->signature, 0);
	model_free(&model);
	model = (struct model){.scripts = last, .started = 2};
	run(&model, SCHED_fifo, 1);
	assert_int_equal(reads()->pairs, 0);
	assert_int_equal(reads()->signature, 0);
	model_free(&model);
}

/* What a thread has written itself is no pair; a lock is read and written; an atomic access, too. */
static void test_pairs_between_threads(void **state)
{
	static const struct step own[] = {ACCESS(store, 1), ACCESS(load, 1), ACCESS(atomic, 2), {STEP_END, 0, 0}};
	static const struct step other[] = {
		ACCESS(atomic, 2), ACCESS(store, 1), ACCESS(pthread_join, 1), {STEP_END, 0, 0}};
	const struct step *const scripts[] = {own, other};
	struct model model = {.scripts = scripts, .started = 2};
	(void)state;
	run(&model, SCHED_fifo, 1);
	assert_int_equal(reads()->pairs, 1);
	assert_int_equal(reads()->listed[0], PAIR(2, atomic, atomic));
	model_free(&model);
}

/* The access takes place when the thread goes on, not when it comes to the point: the signature of a run under any
 * policy is that of one of the two orders, and both come. */
static void test_pairs_of_those_who_wait(void **state)
{
	static const struct step both[] = {ACCESS(store, 1), ACCESS(load, 2), {STEP_END, 0, 0}};
	static const struct step reverse[] = {ACCESS(store, 2), ACCESS(load, 1), {STEP_END, 0, 0}};
	const struct step *const scripts[] = {both, reverse};
	unsigned found[4] = {0};
	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct model model = {.scripts = scripts, .started = 2};
		unsigned stored[3] = {0}, expected = 0;
		run(&model, SCHED_pos, seed);
		for (size_t i = 0; i < model.trace_count; i++) {
			const unsigned thread = model.trace[i] >> 16, step = model.trace[i] & 0xffff;
			if (step == 0)
				stored[thread] = 1;
			else if (step == 1 && stored[3 - thread])
				expected |= thread;
		}
		const unsigned got =
			(reads_from_has(PAIR(2, store, load)) ? 1 : 0) | (reads_from_has(PAIR(1, store, load)) ? 2 : 0);
		assert_int_equal(got, expected);
		assert_int_equal(reads()->pairs, (got & 1) + (got >> 1));
		found[got]++;
		model_free(&model);
	}
	assert_int_equal(found[0], 0);
	for (unsigned i = 1; i < 4; i++)
		assert_true(found[i] > 0);
}

static void test_noting_changes_nothing(void **state)
{
	static const struct step main_steps[] = {ACCESS(store, 1), {STEP_SPAWN, SCHED_OP_pthread_create, 1},
	                                         ACCESS(load, 2),  ACCESS(store, 3),
	                                         ACCESS(store, 2), {STEP_SLEEP, 230, 4000},
	                                         ACCESS(load, 1),  {STEP_END, 0, 0}};
	static const struct step other[] = {
		ACCESS(load, 1), ACCESS(store, 2), {STEP_SPIN, 0, 30}, ACCESS(load, 3), {STEP_END, 0, 0}};
	static const enum sched_policy_id all[] = {SCHED_fifo, SCHED_rr,  SCHED_random,
	                                           SCHED_pct,  SCHED_pos, SCHED_surw};
	const struct step *const scripts[] = {main_steps, other};
	(void)state;
	for (unsigned p = 0; p < LENGTH(all); p++) {
		unsigned noted = 0;
		for (uint64_t seed = 0; seed < 50; seed++) {
			struct model plain = {.scripts = scripts, .started = 1}, with = plain;
			model_boot(all[p], seed)->flags = SCHED_FLAG_RECORD;
			model_run(&plain);
			model_boot(all[p], seed)->flags = SCHED_FLAG_RECORD | SCHED_FLAG_READS;
			model_run(&with);
			assert_int_equal(with.end, MODEL_DONE);
			assert_int_equal(with.record_count, plain.record_count);
			assert_memory_equal(with.records, plain.records, plain.record_count * sizeof(*plain.records));
			assert_int_equal(with.trace_count, plain.trace_count);
			assert_memory_equal(with.trace, plain.trace, plain.trace_count * sizeof(*plain.trace));
			assert_int_equal(with.now, plain.now);
			assert_false(reads_from_has(PAIR(1, store, load))); /* the thread was alone when it stored */
			noted += reads()->pairs > 0;
			model_free(&plain);
			model_free(&with);
		}
		assert_true(noted > 0);
	}
}

/* In how many of a hundred runs the pair comes, with constraints. */
static unsigned runs_with(const struct step *const *scripts, unsigned started, uint64_t pair, const uint64_t *given,
                          unsigned count)
{
	unsigned found = 0;
	for (uint64_t seed = 0; seed < 100; seed++) {
		struct model model = {.scripts = scripts, .started = started, .steps_max = 1000000};
		struct boot_sched *boot = model_boot(SCHED_pos, seed);
		boot->flags = SCHED_FLAG_READS;
		boot->counts = count;
		for (unsigned i = 0; i < count; i++)
			sched_area()->counts[i] = given[i];
		model_run(&model);
		assert_int_equal(model.end, MODEL_DONE);
		found += reads_from_has(pair);
		model_free(&model);
	}
	return found;
}

static void test_pair_to_have(void **state)
{
	const uint64_t pair = PAIR(1, store, load);
	const struct step *const scripts[] = {stores, loads};
	const unsigned plain = runs_with(scripts, 2, pair, NULL, 0);
	(void)state;
	assert_in_range(plain, 30, 70);
	assert_int_equal(runs_with(scripts, 2, pair, &pair, 1), 100);
}

/* Of two writes, the read gets the value of the one that is wanted: the other one waits. */
static void test_other_write_waits(void **state)
{
	static const struct step exchanges[] = {ACCESS(atomic, 1), {STEP_END, 0, 0}};
	const struct step *const scripts[] = {stores, exchanges, loads};
	const uint64_t pair = PAIR(1, store, load), other = PAIR(1, atomic, load);
	(void)state;
	assert_in_range(runs_with(scripts, 3, pair, NULL, 0), 10, 60);
	assert_int_equal(runs_with(scripts, 3, pair, &pair, 1), 100);
	assert_int_equal(runs_with(scripts, 3, other, &other, 1), 100);
}

/* In one of the two ways, drawn by the seed, the write waits until the read was made; in the other the read waits, but
 * in vain if nobody else writes. */
static void test_pair_to_avoid(void **state)
{
	static const struct step exchanges[] = {ACCESS(atomic, 1), {STEP_END, 0, 0}};
	const struct step *const two[] = {stores, loads}, *const three[] = {stores, exchanges, loads};
	const uint64_t pair = PAIR(1, store, load), avoided = pair | SCHED_PAIR_AVOIDED;
	(void)state;
	assert_in_range(runs_with(two, 2, pair, &avoided, 1), 10, 45);
	assert_true(runs_with(three, 3, pair, &avoided, 1) < 15);
}

#define SITES(first, second) ((uint64_t)(first) << 32 | (second) | SCHED_PAIR_ORDER)

/* In how many of a hundred runs of two threads both make their first step before one makes its second. */
static unsigned runs_in_turns(const struct step *const *scripts, uint64_t order, unsigned *younger_first)
{
	unsigned found = 0;
	for (uint64_t seed = 0; seed < 100; seed++) {
		struct model model = {.scripts = scripts, .started = 2, .steps_max = 1000000};
		model_boot(SCHED_pos, seed)->counts = order ? 1 : 0;
		sched_area()->counts[0] = order;
		model_run(&model);
		assert_int_equal(model.end, MODEL_DONE);
		assert_true(model.trace_count >= 4);
		found += !(model.trace[0] & 0xffff) && !(model.trace[1] & 0xffff);
		*younger_first += model.trace[0] >> 16 == 2;
		model_free(&model);
	}
	return found;
}

/* Two threads load and store: the load of one comes right before the store of the other, or right behind it. */
static void test_order(void **state)
{
	static const struct step updates[] = {ACCESS(load, 1), ACCESS(store, 1), {STEP_END, 0, 0}};
	const struct step *const scripts[] = {updates, updates};
	const uint64_t load = MODEL_SITE(SCHED_OP_load, 1), store = MODEL_SITE(SCHED_OP_store, 1);
	unsigned younger = 0;
	(void)state;
	assert_in_range(runs_in_turns(scripts, 0, &younger), 20, 80);
	assert_int_equal(runs_in_turns(scripts, SITES(load, store), &younger), 100);
	assert_int_equal(runs_in_turns(scripts, SITES(store, load), &younger), 0);
}

/* At one site, the older thread comes first, or the younger one; the first one then makes way. */
static void test_order_at_one_site(void **state)
{
	static const struct step twice[] = {ACCESS(store, 1), ACCESS(store, 2), {STEP_END, 0, 0}};
	const struct step *const scripts[] = {twice, twice};
	const uint64_t store = MODEL_SITE(SCHED_OP_store, 1);
	unsigned younger = 0;
	(void)state;
	assert_int_equal(runs_in_turns(scripts, SITES(store, store), &younger), 100);
	assert_int_equal(younger, 0);
	assert_int_equal(runs_in_turns(scripts, SITES(store, store) | SCHED_PAIR_AVOIDED, &younger), 100);
	assert_int_equal(younger, 100);
}

/* The other thread sleeps before its store: time jumps, so that they meet. */
static void test_order_awaits_sleepers(void **state)
{
	static const struct step loads_twice[] = {ACCESS(load, 1), ACCESS(load, 2), {STEP_END, 0, 0}};
	static const struct step sleeps[] = {
		ACCESS(load, 3), {STEP_SLEEP, 35, 4000}, ACCESS(store, 1), {STEP_END, 0, 0}};
	const struct step *const scripts[] = {loads_twice, sleeps};
	const uint64_t order = SITES(MODEL_SITE(SCHED_OP_store, 1), MODEL_SITE(SCHED_OP_load, 1));
	const uint64_t pair = PAIR(1, store, load);
	(void)state;
	assert_true(runs_with(scripts, 2, pair, NULL, 0) < 60);
	assert_int_equal(runs_with(scripts, 2, pair, &order, 1), 100);
}

/* A thread that never meets another one, or others that spin until it goes on, hold nobody back for ever. */
static void test_order_ends(void **state)
{
	static const struct step sets[] = {ACCESS(load, 1), {STEP_SET, SCHED_OP_store, 3}, {STEP_END, 0, 0}};
	static const struct step polls[] = {{STEP_POLL, SCHED_OP_load, 3}, {STEP_END, 0, 0}};
	const struct step *const scripts[] = {sets, polls, polls};
	const uint64_t order = SITES(MODEL_SITE(SCHED_OP_load, 1), MODEL_SITE(SCHED_OP_store, 9));
	(void)state;
	assert_int_equal(runs_with(scripts, 3, PAIR(1, store, load), &order, 1), 0);
}

/* Others spin, with a point in each round, for what a thread does behind the access at which it is held back. */
static void test_held_thread_comes_back(void **state)
{
	static const struct step sets[] = {ACCESS(load, 1), {STEP_SET, SCHED_OP_store, 3}, {STEP_END, 0, 0}};
	static const struct step polls[] = {{STEP_POLL, SCHED_OP_load, 3}, {STEP_END, 0, 0}};
	const struct step *const scripts[] = {sets, polls, polls};
	const uint64_t never = (uint64_t)MODEL_SITE(SCHED_OP_store, 9) << 32 | MODEL_SITE(SCHED_OP_load, 1);
	(void)state;
	assert_int_equal(runs_with(scripts, 3, never, &never, 1), 0);
}

/* Constraints and records: the replay of a constrained run does the same. */
static void test_replay(void **state)
{
	const struct step *const scripts[] = {stores, loads, stores, loads};
	const uint64_t given[] = {PAIR(1, store, load), PAIR(1, store, load) | SCHED_PAIR_AVOIDED,
	                          PAIR(1, load, store) | SCHED_PAIR_ORDER};
	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct model model = {.scripts = scripts, .started = 4}, again = model;
		struct boot_sched *boot = model_boot(SCHED_pos, seed);
		boot->flags = SCHED_FLAG_RECORD;
		boot->counts = LENGTH(given);
		memcpy(sched_area()->counts, given, sizeof(given));
		model_run(&model);
		again.schedule = model.records;
		again.schedule_records = model.record_count;
		again.window = 4;
		model_boot(SCHED_replay, 0);
		model_run(&again);
		assert_int_equal(again.end, MODEL_DONE);
		assert_int_equal(again.trace_count, model.trace_count);
		assert_memory_equal(again.trace, model.trace, model.trace_count * sizeof(*model.trace));
		model_free(&model);
		model_free(&again);
	}
}

/* The signature belongs to the set: not to the order, nor to how often a pair comes. */
static void test_signature(void **state)
{
	static const struct step ab[] = {ACCESS(store, 1), ACCESS(store, 2), {STEP_END, 0, 0}};
	static const struct step in_order[] = {ACCESS(load, 1), ACCESS(load, 2), {STEP_END, 0, 0}};
	static const struct step reversed[] = {ACCESS(load, 2), ACCESS(load, 1), ACCESS(load, 2), {STEP_END, 0, 0}};
	static const struct step fewer[] = {ACCESS(load, 2), {STEP_END, 0, 0}};
	const struct step *const second[] = {in_order, reversed, fewer};
	uint64_t signatures[3];
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		const struct step *const scripts[] = {ab, second[i]};
		struct model model = {.scripts = scripts, .started = 2};
		run(&model, SCHED_fifo, 1);
		signatures[i] = reads()->signature;
		model_free(&model);
	}
	assert_int_equal(signatures[0], signatures[1]);
	assert_int_not_equal(signatures[0], signatures[2]);
}

/* More objects and pairs than the tables have room for are left out, and the run goes on. */
static void test_full_tables(void **state)
{
	struct thread *a = model_thread(1), *b = model_thread(2);
	(void)state;
	model_boot(SCHED_random, 1)->flags = SCHED_FLAG_READS;
	reads_from_begin();
	sched_shared()->youngest = 2;
	for (uintptr_t object = 8; object <= 8UL * 2 * SCHED_WRITERS; object += 8)
		for (unsigned i = 0; i < 2; i++) {
			thread_current = i ? b : a;
			reads_from_note(SCHED_OP_atomic, (const void *)object, object + i);
			reads_from_go_on(thread_current);
		}
	assert_int_equal(reads()->writers, SCHED_WRITERS / 4 * 3);
	assert_int_equal(reads()->pairs, SCHED_PAIRS / 4 * 3);
	assert_int_equal(reads()->listed[SCHED_PAIRS_LISTED - 1],
	                 8UL * SCHED_PAIRS_LISTED << 32 | (8UL * SCHED_PAIRS_LISTED + 1));
	free(a);
	free(b);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_pairs_of_a_run),
	cmocka_unit_test(test_pairs_between_threads),
	cmocka_unit_test(test_pairs_of_those_who_wait),
	cmocka_unit_test(test_noting_changes_nothing),
	cmocka_unit_test(test_pair_to_have),
	cmocka_unit_test(test_other_write_waits),
	cmocka_unit_test(test_pair_to_avoid),
	cmocka_unit_test(test_order),
	cmocka_unit_test(test_order_at_one_site),
	cmocka_unit_test(test_order_awaits_sleepers),
	cmocka_unit_test(test_order_ends),
	cmocka_unit_test(test_held_thread_comes_back),
	cmocka_unit_test(test_replay),
	cmocka_unit_test(test_signature),
	cmocka_unit_test(test_full_tables),
};

int main(void)
{
	model_map();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
