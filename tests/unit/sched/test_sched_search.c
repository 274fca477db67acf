/* SPDX-License-Identifier: MIT */
/* The policies that search, against what their papers say: how often each interleaving comes over fixed seeds. Bounds
 * of chi-square are those that one in a thousand sets of seeds would exceed. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>

#include "abi/sched_op.h"
#include "abi/sched_parameters.h"
#include "kernel/sched/policy_state.h"
#include "tests/unit/sched/model.h"

#define ACCESS(object) \
	{ \
		STEP_ACCESS, SCHED_OP_store, object \
	}
#define READ(object) \
	{ \
		STEP_ACCESS, SCHED_OP_load, object \
	}
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const struct step three[] = {ACCESS(1), ACCESS(1), ACCESS(1), {STEP_END, 0, 0}};
static const struct step two[] = {ACCESS(1), ACCESS(1), {STEP_END, 0, 0}};

/* The threads of a trace that made steps below `steps`, as one number. */
static uint64_t order_of(const struct model *model, unsigned steps, unsigned threads)
{
	uint64_t order = 0;
	for (size_t i = 0; i < model->trace_count; i++)
		if ((model->trace[i] & 0xffff) < steps)
			order = order * threads + (model->trace[i] >> 16) - 1;
	return order;
}

/* PCT. */

/* In how many of the seeds from 0 thread 2's step comes between thread 1's two. */
static unsigned atomicity_violations(const struct step *first, unsigned steps, unsigned depth, unsigned seeds)
{
	static const struct step other[] = {ACCESS(1), {STEP_END, 0, 0}};
	const struct step *const scripts[] = {first, other};
	unsigned found = 0;
	for (uint64_t seed = 0; seed < seeds; seed++) {
		struct model model = {.scripts = scripts, .started = 2};
		struct boot_sched *boot = model_boot(SCHED_pct, seed);
		boot->parameters[SCHED_PARAMETER_pct_depth] = depth;
		boot->parameters[SCHED_PARAMETER_pct_steps] = steps;
		model_run(&model);
		assert_int_equal(model.end, MODEL_DONE);
		bool began = false, between = false;
		for (size_t i = 0; i < model.trace_count; i++) {
			if (model.trace[i] == (1U << 16 | (steps - 3)))
				began = true;
			else if (model.trace[i] == (1U << 16 | (steps - 2)))
				break;
			else if (model.trace[i] == (2U << 16))
				between = began;
		}
		found += between;
		model_free(&model);
	}
	return found;
}

/* A bug of depth 2 in k points of 2 threads is found with probability 1 / 2k at least, which here is exact: thread 1
 * must have the higher priority, and change it at its last access. With depth 1 it cannot be found. */
static void test_pct_guarantee(void **state)
{
	static struct step first[64];
	(void)state;
	for (unsigned steps = 3; steps <= 48; steps *= 2) {
		for (unsigned i = 0; i < steps - 1; i++)
			first[i] = (struct step)ACCESS(1);
		first[steps - 1] = (struct step){STEP_END, 0, 0};
		double expected = 4000 / (2.0 * steps);
		double off = atomicity_violations(first, steps, 2, 4000) - expected;
		assert_true(off * off / expected < 10.83);
		assert_int_equal(atomicity_violations(first, steps, 1, 1000), 0);
	}
}

/* The first `from` points have no change point. */
static void test_pct_from(void **state)
{
	static struct step many[41];
	const struct step *const scripts[] = {many, many};
	bool seen[64] = {false};
	(void)state;
	for (unsigned i = 0; i < 40; i++)
		many[i] = (struct step)ACCESS(1);
	many[40] = (struct step){STEP_END, 0, 0};
	for (uint64_t seed = 0; seed < 500; seed++) {
		struct model model = {.scripts = scripts, .started = 2};
		struct boot_sched *boot = model_boot(SCHED_pct, seed);
		boot->flags = SCHED_FLAG_RECORD;
		boot->parameters[SCHED_PARAMETER_pct_depth] = 2;
		boot->parameters[SCHED_PARAMETER_pct_from] = 30;
		boot->parameters[SCHED_PARAMETER_pct_steps] = 5;
		model_run(&model);
		uint64_t point = 0;
		for (size_t i = 0; i < model.record_count; i++) {
			point += model.records[i].points;
			if (model.records[i].kind != SCHED_KIND_preempt || point == 1)
				continue; /* at the first point, the second thread may have the higher priority */
			assert_in_range(point, 31, 35);
			seen[point] = true;
		}
		model_free(&model);
	}
	for (unsigned i = 31; i <= 35; i++)
		assert_true(seen[i]);
}

/* Depth 1 is a random order of whole threads, each as likely. */
static void test_pct_orders(void **state)
{
	const struct step *const scripts[] = {three, three, three};
	uint64_t seen[27] = {0};
	unsigned orders = 0;
	(void)state;
	for (uint64_t seed = 0; seed < 3000; seed++) {
		struct model model = {.scripts = scripts, .started = 3};
		model_boot(SCHED_pct, seed)->parameters[SCHED_PARAMETER_pct_depth] = 1;
		model_run(&model);
		uint64_t order = 0;
		for (size_t i = 0; i < model.trace_count; i += 4) {
			assert_int_equal(model.trace[i] >> 16, model.trace[i + 3] >> 16);
			order = order * 3 + (model.trace[i] >> 16) - 1;
		}
		seen[order]++;
		model_free(&model);
	}
	for (unsigned i = 0; i < 27; i++) {
		orders += seen[i] != 0;
		if (seen[i])
			assert_in_range(seen[i], 420, 580);
	}
	assert_int_equal(orders, 6);
}

static void test_pct_yield_lowers(void **state)
{
	struct thread *threads[3];
	(void)state;
	model_boot(SCHED_pct, 1);
	policy_pct.init(sched_boot());
	sched_shared()->points_left = INT64_MAX - 1;
	sched_shared()->points_armed = INT64_MAX;
	for (unsigned i = 0; i < 3; i++) {
		threads[i] = model_thread(i + 1);
		policy_pct.created(threads[i]);
	}
	for (unsigned round = 0; round < 6; round++) { /* all yield in turn: all get their turn */
		struct thread *current = threads[round % 3];
		uint64_t before = policy_slot(current)[0];
		model_ready_clear();
		model_ready_add(threads[(round + 1) % 3]);
		model_ready_add(threads[(round + 2) % 3]);
		const struct sched_question question = {.kind = SCHED_KIND_yield, .current = current, .goes_on = true};
		assert_ptr_not_equal(policy_pct.pick(&question), current);
		assert_true(policy_slot(current)[0] < before);
		assert_true(policy_slot(current)[0] < policy_slot(threads[(round + 1) % 3])[0]);
	}
	for (unsigned i = 0; i < 3; i++)
		free(threads[i]);
}

/* Who wakes with a higher priority takes over soon, though the other passes no decision point. */
static void test_pct_woken_takes_over(void **state)
{
	static const struct step sleeper[] = {{STEP_SLEEP, 0, 100}, ACCESS(1), {STEP_END, 0, 0}};
	static const struct step spinner[] = {{STEP_SPIN, 0, 5000}, {STEP_END, 0, 0}};
	const struct step *const scripts[] = {sleeper, spinner};
	unsigned higher = 0;
	(void)state;
	for (uint64_t seed = 0; seed < 100; seed++) {
		struct model model = {.scripts = scripts, .started = 2};
		model_boot(SCHED_pct, seed)->parameters[SCHED_PARAMETER_pct_depth] = 1;
		model_run(&model);
		assert_int_equal(model.end, MODEL_DONE);
		if (model.trace[0] >> 16 == 1) {
			assert_int_equal(model.trace[1] >> 16, 1);
			higher++;
		}
		model_free(&model);
	}
	assert_in_range(higher, 30, 70);
}

static void test_pct_depth_is_limited(void **state)
{
	const struct step *const scripts[] = {three};
	struct model model = {.scripts = scripts, .started = 1};
	(void)state;
	model_boot(SCHED_pct, 1)->parameters[SCHED_PARAMETER_pct_depth] = 2045;
	model_run(&model);
	assert_int_equal(model.end, MODEL_DONE);
	model_free(&model);
	model_boot(SCHED_pct, 1)->parameters[SCHED_PARAMETER_pct_depth] = 2046;
	model_run(&model);
	assert_int_equal(model.end, MODEL_MISFIT);
	assert_string_equal(model.misfit, "pct: depth must be at most 2045");
	model_free(&model);
}

/* POS. */

static bool pos_reassigned(uint16_t op, uintptr_t object, uint16_t pending_op, uintptr_t pending)
{
	struct thread *a = model_thread(1), *b = model_thread(2);
	model_boot(SCHED_pos, 1);
	policy_pos.init(sched_boot());
	policy_pos.created(a);
	policy_pos.created(b);
	policy_slot(b)[0] = 1UL << 63; /* the lowest that is drawn */
	policy_slot(b)[1] = pending_op;
	policy_slot(b)[2] = pending;
	model_ready_clear();
	model_ready_add(b);
	const struct sched_question question = {
		.kind = SCHED_KIND_preempt, .current = a, .goes_on = true, .op = op, .object = (const void *)object};
	assert_ptr_equal(policy_pos.pick(&question), a);
	bool changed = policy_slot(b)[0] != 1UL << 63;
	assert_int_equal(policy_slot(b)[1], pending_op);
	free(a);
	free(b);
	return changed;
}

static void test_pos_races(void **state)
{
	enum {
		LOAD = SCHED_OP_load,
		STORE = SCHED_OP_store,
		ATOMIC = SCHED_OP_atomic,
		LOCK = SCHED_OP_pthread_mutex_lock
	};
	(void)state;
	assert_true(pos_reassigned(STORE, 0x1000, STORE, 0x1000));
	assert_true(pos_reassigned(STORE, 0x1000, LOAD, 0x1000));
	assert_true(pos_reassigned(LOAD, 0x1004, ATOMIC, 0x1000));
	assert_true(pos_reassigned(LOCK, 0x1000, LOCK, 0x1000));
	assert_true(pos_reassigned(LOCK, 0x1000, SCHED_OP_pthread_mutex_unlock, 0x1000));
	assert_true(pos_reassigned(SCHED_OP_pthread_rwlock_rdlock, 0x1000, SCHED_OP_pthread_rwlock_wrlock, 0x1000));
	assert_true(pos_reassigned(1, 0, 0, 0)); /* write and read */
	assert_true(pos_reassigned(1, 0, 202, 0x1000));
	assert_true(pos_reassigned(202, 0x1000, 202, 0x1000));
	assert_false(pos_reassigned(LOAD, 0x1000, LOAD, 0x1000));
	assert_false(pos_reassigned(SCHED_OP_pthread_rwlock_rdlock, 0x1000, SCHED_OP_pthread_rwlock_rdlock, 0x1000));
	assert_false(pos_reassigned(STORE, 0x1000, STORE, 0x1008));
	assert_false(pos_reassigned(LOCK, 0x1000, LOCK, 0x1040));
	assert_false(pos_reassigned(202, 0x1000, 202, 0x1040));
	assert_false(pos_reassigned(1, 0, LOCK, 0x1000));
	assert_false(pos_reassigned(1, 0, LOCK, 0));
	assert_false(pos_reassigned(STORE, 0x1000, SCHED_OP_NONE, 0));
}

/* Where random priorities alone would starve one: a thread of one event against one of many. If they race, where the
 * one comes is drawn after each of the others; POS makes every place likely enough, also the last. */
static void test_pos_finds_every_place(void **state)
{
	static const struct step many[] = {ACCESS(1), ACCESS(1), ACCESS(1), ACCESS(1), {STEP_END, 0, 0}};
	static const struct step one[] = {READ(1), {STEP_END, 0, 0}};
	const struct step *const scripts[] = {many, one};
	unsigned places[5] = {0};
	(void)state;
	for (uint64_t seed = 0; seed < 4000; seed++) {
		struct model model = {.scripts = scripts, .started = 2};
		model_boot(SCHED_pos, seed);
		model_run(&model);
		unsigned place = 0;
		for (size_t i = 0; model.trace[i] != 2U << 16; i++)
			place += model.trace[i] >> 16 == 1 && (model.trace[i] & 0xffff) < 4;
		places[place]++;
		model_free(&model);
	}
	for (unsigned i = 0; i < 5; i++)
		assert_true(places[i] > 4000 / 50);
}

/* SURW. */

/* Chi-square of how often each of the interleavings came that came at all, and how many those were. */
static double interleavings(const struct step *const *scripts, unsigned started, unsigned steps, const uint64_t *counts,
                            unsigned seeds, enum sched_policy_id policy, unsigned *distinct)
{
	static unsigned seen[20000];
	memset(seen, 0, sizeof(seen));
	for (uint64_t seed = 0; seed < seeds; seed++) {
		struct model model = {.scripts = scripts, .started = started};
		struct boot_sched *boot = model_boot(policy, seed);
		for (boot->counts = 0; counts && counts[boot->counts]; boot->counts++)
			sched_area()->counts[boot->counts] = counts[boot->counts];
		model_run(&model);
		assert_int_equal(model.end, MODEL_DONE);
		uint64_t order = order_of(&model, steps, started);
		assert_true(order < LENGTH(seen));
		seen[order]++;
		model_free(&model);
	}
	double sum = 0;
	*distinct = 0;
	for (unsigned i = 0; i < LENGTH(seen); i++)
		*distinct += seen[i] != 0;
	for (unsigned i = 0; i < LENGTH(seen); i++) {
		double expected = (double)seeds / *distinct;
		if (seen[i])
			sum += (seen[i] - expected) * (seen[i] - expected) / expected;
	}
	return sum;
}

static void test_surw_is_uniform(void **state)
{
	const struct step *const threes[] = {three, three}, *const twos[] = {two, two, two},
				 *const mixed[] = {three, two};
	unsigned distinct;
	(void)state;
	assert_true(interleavings(threes, 2, 3, (const uint64_t[]){3, 3, 0}, 10000, SCHED_surw, &distinct) < 43.82);
	assert_int_equal(distinct, 20);
	assert_true(interleavings(twos, 3, 2, (const uint64_t[]){2, 0}, 18000, SCHED_surw, &distinct) < 135.98);
	assert_int_equal(distinct, 90);
	assert_true(interleavings(mixed, 2, 3, (const uint64_t[]){3, 2, 0}, 10000, SCHED_surw, &distinct) < 27.88);
	assert_int_equal(distinct, 10);
	/* The test can tell: a random walk is far from it. */
	assert_true(interleavings(threes, 2, 3, NULL, 10000, SCHED_random, &distinct) > 1000);
}

/* Before the thread is made nobody is asked; what happened then is counted nevertheless. */
static void test_surw_counts_unborn_threads(void **state)
{
	static const struct step spawning[] = {ACCESS(1), ACCESS(1), {STEP_SPAWN, 0, 1},
	                                       ACCESS(1), ACCESS(1), {STEP_END, 0, 0}};
	const struct step *const scripts[] = {spawning, three};
	unsigned seen[64] = {0}, distinct = 0;
	double sum = 0;
	(void)state;
	for (uint64_t seed = 0; seed < 10000; seed++) {
		struct model model = {.scripts = scripts, .started = 1};
		model_boot(SCHED_surw, seed)->counts = 2;
		sched_area()->counts[0] = 5;
		sched_area()->counts[1] = 3;
		model_run(&model);
		unsigned order = 0;
		for (size_t i = 0; i < model.trace_count; i++) {
			unsigned thread = model.trace[i] >> 16, step = model.trace[i] & 0xffff;
			if (thread == 1 ? step == 3 || step == 4 : step < 3)
				order = order * 2 + thread - 1;
		}
		seen[order]++;
		model_free(&model);
	}
	for (unsigned i = 0; i < 64; i++)
		distinct += seen[i] != 0;
	assert_int_equal(distinct, 10); /* of two steps and three */
	for (unsigned i = 0; i < 64; i++)
		if (seen[i])
			sum += (seen[i] - 1000.0) * (seen[i] - 1000.0) / 1000.0;
	assert_true(sum < 27.88);
}

/* Runs two threads of six steps, with three events each, under surw with this `object`. The steps that are events:
 * those on object `only`, or with MODEL_NOTHING those on any. All orders of the events have to be equally likely. */
static void assert_selects(const struct step *const scripts[2], uint64_t object, uint64_t only)
{
	unsigned seen[64] = {0}, distinct = 0;
	double sum = 0;
	for (uint64_t seed = 0; seed < 10000; seed++) {
		struct model model = {.scripts = scripts, .started = 2};
		struct boot_sched *boot = model_boot(SCHED_surw, seed);
		boot->parameters[SCHED_PARAMETER_surw_object] = object;
		boot->counts = 1;
		sched_area()->counts[0] = 3;
		model_run(&model);
		unsigned order = 0;
		for (size_t i = 0; i < model.trace_count; i++) {
			unsigned step = model.trace[i] & 0xffff, thread = (model.trace[i] >> 16) - 1;
			const uint64_t used = scripts[thread][step].argument;
			if (step < 6 && (only == MODEL_NOTHING ? used != MODEL_NOTHING : used == only))
				order = order * 2 + thread;
		}
		seen[order]++;
		model_free(&model);
	}
	for (unsigned i = 0; i < 64; i++)
		distinct += seen[i] != 0;
	assert_int_equal(distinct, 20);
	for (unsigned i = 0; i < 64; i++)
		if (seen[i])
			sum += (seen[i] - 500.0) * (seen[i] - 500.0) / 500.0;
	assert_true(sum < 43.82);
}

/* Only the events on one object are counted; what is between them does not matter. */
static void test_surw_selects(void **state)
{
	static const struct step a[] = {ACCESS(2), ACCESS(1), ACCESS(3),       ACCESS(3),
	                                ACCESS(1), ACCESS(1), {STEP_END, 0, 0}};
	static const struct step b[] = {ACCESS(1), ACCESS(1), ACCESS(2),       ACCESS(2),
	                                ACCESS(2), ACCESS(1), {STEP_END, 0, 0}};
	(void)state;
	assert_selects((const struct step *const[]){a, b}, MODEL_ADDRESS(1), 1);
}

/* Points on no object are not counted. */
static void test_surw_selects_all_objects(void **state)
{
	static const struct step a[] = {ACCESS(MODEL_NOTHING), ACCESS(1), ACCESS(MODEL_NOTHING),
	                                ACCESS(MODEL_NOTHING), ACCESS(2), ACCESS(1),
	                                {STEP_END, 0, 0}};
	static const struct step b[] = {
		ACCESS(2), ACCESS(1),       ACCESS(MODEL_NOTHING), ACCESS(MODEL_NOTHING), ACCESS(MODEL_NOTHING),
		ACCESS(1), {STEP_END, 0, 0}};
	(void)state;
	assert_selects((const struct step *const[]){a, b}, SCHED_OBJECT_ANY, MODEL_NOTHING);
}

/* Who passes other points while it waits for an event that is held up does so for a slice at the most. */
static void test_surw_selected_event_comes(void **state)
{
	static const struct step polls[] = {{STEP_POLL, 0, 0}, {STEP_END, 0, 0}};
	static const struct step sets[] = {ACCESS(1), {STEP_SET, 0, 0}, {STEP_END, 0, 0}};
	const struct step *const scripts[] = {polls, sets, polls};
	(void)state;
	for (uint64_t seed = 0; seed < 100; seed++) {
		struct model model = {.scripts = scripts, .started = 3};
		struct boot_sched *boot = model_boot(SCHED_surw, seed);
		boot->parameters[SCHED_PARAMETER_surw_object] = 0x1000 + 64;
		boot->parameters[SCHED_PARAMETER_surw_slice] = 5000;
		model_run(&model);
		assert_int_equal(model.end, MODEL_DONE);
		assert_in_range(model.now, 0, 2 * 5000 + 1000);
		model_free(&model);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_pct_guarantee),
	cmocka_unit_test(test_pct_from),
	cmocka_unit_test(test_pct_orders),
	cmocka_unit_test(test_pct_yield_lowers),
	cmocka_unit_test(test_pct_woken_takes_over),
	cmocka_unit_test(test_pct_depth_is_limited),
	cmocka_unit_test(test_pos_races),
	cmocka_unit_test(test_pos_finds_every_place),
	cmocka_unit_test(test_surw_is_uniform),
	cmocka_unit_test(test_surw_counts_unborn_threads),
	cmocka_unit_test(test_surw_selects),
	cmocka_unit_test(test_surw_selects_all_objects),
	cmocka_unit_test(test_surw_selected_event_comes),
};

int main(void)
{
	model_map();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
