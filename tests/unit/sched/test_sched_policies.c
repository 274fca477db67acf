/* SPDX-License-Identifier: MIT */
/* Each policy on small programs, whose interleavings are counted over fixed seeds. */
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
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const struct step three[] = {ACCESS(1), ACCESS(1), ACCESS(1), {STEP_END, 0, 0}};
static const struct step spinner[] = {{STEP_SPIN, 0, 1000}, {STEP_END, 0, 0}};

static void expect_trace(const struct model *model, const uint32_t *threads, size_t count)
{
	size_t at = 0;
	for (size_t i = 0; i < model->trace_count; i++) {
		if (i && model->trace[i] >> 16 == model->trace[i - 1] >> 16)
			continue;
		assert_true(at < count);
		assert_int_equal(model->trace[i] >> 16, threads[at++]);
	}
	assert_int_equal(at, count);
}

/* Fifo. */

static void test_fifo_runs_until_it_blocks(void **state)
{
	static const struct step holder[] = {
		{STEP_LOCK, 0, 0}, {STEP_SLEEP, 0, 1000}, {STEP_UNLOCK, 0, 0}, {STEP_END, 0, 0}};
	static const struct step wanter[] = {ACCESS(1), {STEP_LOCK, 0, 0}, {STEP_UNLOCK, 0, 0}, {STEP_END, 0, 0}};
	const struct step *const scripts[] = {holder, wanter, three};
	struct model model = {.scripts = scripts, .started = 3};
	(void)state;
	model_boot(SCHED_fifo, 0);
	model_run(&model);
	assert_int_equal(model.end, MODEL_DONE);
	expect_trace(&model, (const uint32_t[]){1, 2, 3, 1, 2}, 5);
	assert_int_equal(model.questions[SCHED_KIND_preempt], 0);
	model_free(&model);
}

static void test_fifo_yield_goes_behind(void **state)
{
	static const struct step yielding[] = {{STEP_YIELD, 0, 0}, {STEP_YIELD, 0, 0}, {STEP_END, 0, 0}};
	const struct step *const scripts[] = {yielding, yielding, yielding};
	struct model model = {.scripts = scripts, .started = 3};
	(void)state;
	model_boot(SCHED_fifo, 0);
	model_run(&model);
	expect_trace(&model, (const uint32_t[]){1, 2, 3, 1, 2, 3, 1, 2, 3}, 9);
	model_free(&model);
}

/* Whoever spins for a flag gives way after the slice, and without a slice never does. */
static void test_fifo_slice(void **state)
{
	static const struct step waits[] = {{STEP_AWAIT, 0, 0}, {STEP_END, 0, 0}};
	static const struct step sets[] = {{STEP_SET, 0, 0}, {STEP_END, 0, 0}};
	const struct step *const scripts[] = {waits, sets};
	struct model model = {.scripts = scripts, .started = 2};
	(void)state;
	model_boot(SCHED_fifo, 0)->parameters[SCHED_PARAMETER_fifo_slice] = 1000000;
	model_run(&model);
	assert_int_equal(model.end, MODEL_DONE);
	assert_in_range(model.now, 1000000, 1000100);
	model_free(&model);
	model_boot(SCHED_fifo, 0)->parameters[SCHED_PARAMETER_fifo_slice] = SCHED_NEVER;
	model_run(&model);
	assert_int_equal(model.end, MODEL_ENDLESS);
	model_free(&model);
}

static void test_rr_quantum(void **state)
{
	const struct step *const scripts[] = {spinner, spinner, spinner};
	struct model model = {.scripts = scripts, .started = 3};
	(void)state;
	model_boot(SCHED_rr, 0)->parameters[SCHED_PARAMETER_rr_quantum] = 100;
	model_run(&model);
	assert_int_equal(model.end, MODEL_DONE);
	/* 100 slices of 10 rounds each, one more for the end; the first is no switch. */
	assert_int_equal(model.switches, 302);
	model_free(&model);
}

/* A new slice begins after a wait, even if nobody else ran. */
static void test_slice_begins_after_wait(void **state)
{
	static const struct step sleeper[] = {
		{STEP_SPIN, 0, 9}, {STEP_SLEEP, 0, 5}, {STEP_SPIN, 0, 9}, {STEP_END, 0, 0}};
	const struct step *const scripts[] = {sleeper};
	struct model model = {.scripts = scripts, .started = 1};
	(void)state;
	model_boot(SCHED_rr, 0)->parameters[SCHED_PARAMETER_rr_quantum] = 100;
	model_run(&model);
	assert_int_equal(model.end, MODEL_DONE);
	assert_int_equal(model.questions[SCHED_KIND_tick], 0);
	model_free(&model);
}

/* Random. */

/* At each point each of three threads is equally likely. Thread 1 is at its first point, and the others have to be
 * chosen once to come to theirs: so thread 1 makes the first step with probability 17/27, and each of the others with
 * 5/27. */
static void test_random_is_uniform(void **state)
{
	const struct step *const scripts[] = {three, three, three};
	const double expected[3] = {6000 * 17 / 27.0, 6000 * 5 / 27.0, 6000 * 5 / 27.0};
	unsigned first[3] = {0};
	double sum = 0;
	(void)state;
	for (uint64_t seed = 0; seed < 6000; seed++) {
		struct model model = {.scripts = scripts, .started = 3};
		model_boot(SCHED_random, seed)->parameters[SCHED_PARAMETER_random_ticks] = SCHED_NEVER;
		model_run(&model);
		first[(model.trace[0] >> 16) - 1]++;
		model_free(&model);
	}
	for (unsigned i = 0; i < 3; i++)
		sum += (first[i] - expected[i]) * (first[i] - expected[i]) / expected[i];
	assert_true(sum < 13.82);
}

static void test_random_rare_points(void **state)
{
	static struct step many[10001];
	const struct step *const scripts[] = {many, many};
	struct model model = {.scripts = scripts, .started = 2};
	(void)state;
	for (unsigned i = 0; i < 10000; i++)
		many[i] = (struct step)ACCESS(1);
	struct boot_sched *boot = model_boot(SCHED_random, 3);
	boot->parameters[SCHED_PARAMETER_random_p] = SCHED_CHANCE_ONE / 100;
	boot->parameters[SCHED_PARAMETER_random_ticks] = SCHED_NEVER;
	model_run(&model);
	assert_in_range(model.questions[SCHED_KIND_preempt], 160, 240); /* 20,000 points */
	assert_in_range(model.switches, 70, 130);
	model_free(&model);
}

/* A thread that blocks the signals of its libc passes points without a decision, but only so many. */
static void test_random_passes_libc(void **state)
{
	struct thread *self = model_thread(1), *other = model_thread(2);
	const struct sched_question question = {
		.kind = SCHED_KIND_preempt, .current = self, .goes_on = true, .op = SCHED_OP_store};
	unsigned first = 0;
	(void)state;
	model_boot(SCHED_random, 5);
	policy_random.init(sched_boot());
	sched_shared()->points_left = INT64_MAX - 1;
	sched_shared()->points_armed = INT64_MAX;
	policy_random.created(self);
	policy_random.created(other);
	model_ready_clear();
	model_ready_add(other);
	self->signals.blocked = UINT64_MAX;
	for (; first < 200 && policy_random.pick(&question) == self; first++)
		sched_shared()->decision++;
	assert_in_range(first, 64, 80);
	self->signals.blocked = ~(1UL << 31); /* as a program can block them: without signal 32 */
	unsigned stays = 0;
	for (unsigned i = 0; i < 100; i++) {
		sched_shared()->decision++;
		stays += policy_random.pick(&question) == self;
	}
	assert_in_range(stays, 30, 70);
	self->signals.blocked = UINT64_MAX;
	sched_shared()->decision++;
	assert_ptr_equal(policy_random.pick(&question), self);
	free(self);
	free(other);
}

/* Without any decision point, a switch can come after each round of a loop. */
static void test_random_ticks(void **state)
{
	const struct step *const scripts[] = {spinner, spinner};
	bool seen[100] = {false};
	(void)state;
	for (uint64_t seed = 0; seed < 1000; seed++) {
		struct model model = {.scripts = scripts, .started = 2};
		struct boot_sched *boot = model_boot(SCHED_random, seed);
		boot->parameters[SCHED_PARAMETER_random_ticks] = 500;
		boot->flags = SCHED_FLAG_RECORD;
		model_run(&model);
		assert_int_equal(model.end, MODEL_DONE);
		/* The second thread may take over as soon as it is made. */
		const struct sched_record *record = model.records;
		record += record->kind == SCHED_KIND_woken;
		assert_int_equal(record->kind, SCHED_KIND_tick);
		uint64_t rounds = record->detail / 10;
		if (rounds < 100)
			seen[rounds] = true;
		model_free(&model);
	}
	for (unsigned i = 1; i < 100; i++)
		assert_true(seen[i]);
}

/* The highest priority spins for what a lower one does: with points, without, and by yielding. */
/* A short slice, for threads that spin. */
static void set_slice(struct boot_sched *boot)
{
	boot->parameters[boot->policy == SCHED_pct ? SCHED_PARAMETER_pct_slice : 0] =
		boot->policy == SCHED_random ? 0 : 5000;
}

static void test_spinning_ends(void **state)
{
	static const struct step polls[] = {{STEP_POLL, 0, 0}, {STEP_END, 0, 0}};
	static const struct step waits[] = {{STEP_AWAIT, 0, 0}, {STEP_END, 0, 0}};
	static const struct step sets[] = {{STEP_SET, 0, 0}, {STEP_SET, 0, 0}, {STEP_END, 0, 0}};
	const struct step *const scripts[2][3] = {{polls, sets, polls}, {waits, waits, sets}};
	static const enum sched_policy_id ids[] = {SCHED_fifo, SCHED_rr,  SCHED_random,
	                                           SCHED_pct,  SCHED_pos, SCHED_surw};
	(void)state;
	for (unsigned i = 0; i < LENGTH(ids); i++)
		for (uint64_t seed = 0; seed < 20; seed++)
			for (unsigned kind = 0; kind < 2; kind++) {
				struct model model = {.scripts = scripts[kind], .started = 3};
				struct boot_sched *boot = model_boot(ids[i], seed);
				set_slice(boot);
				model_run(&model);
				assert_int_equal(model.end, MODEL_DONE);
				model_free(&model);
			}
}

/* All. */

static uint64_t hash_of(const struct model *model)
{
	uint64_t hash = 14695981039346656037UL;
	for (size_t i = 0; i < model->trace_count; i++)
		hash = (hash ^ model->trace[i]) * 1099511628211UL;
	return hash;
}

static void test_seeds(void **state)
{
	static const enum sched_policy_id ids[] = {SCHED_random, SCHED_pct, SCHED_pos, SCHED_surw};
	static struct step many[41];
	const struct step *const scripts[] = {many, many, many};
	(void)state;
	for (unsigned i = 0; i < 40; i++)
		many[i] = (struct step)ACCESS(i % 3);
	for (unsigned p = 0; p < LENGTH(ids); p++) {
		uint64_t hashes[100];
		unsigned distinct = 0;
		for (unsigned i = 0; i < 200; i++) {
			struct model model = {.scripts = scripts, .started = 3};
			struct boot_sched *boot = model_boot(ids[p], i % 100);
			if (ids[p] == SCHED_pct)
				boot->parameters[SCHED_PARAMETER_pct_steps] = 120;
			model_run(&model);
			if (i < 100)
				hashes[i] = hash_of(&model);
			else
				assert_int_equal(hash_of(&model), hashes[i - 100]);
			model_free(&model);
		}
		for (unsigned i = 0; i < 100; i++) {
			bool again = false;
			for (unsigned j = 0; j < i; j++)
				again |= hashes[i] == hashes[j];
			distinct += !again;
		}
		assert_true(distinct >= (ids[p] == SCHED_pct ? 90 : 100));
	}
}

static const enum sched_policy_id all[] = {SCHED_fifo, SCHED_rr, SCHED_random, SCHED_pct, SCHED_pos, SCHED_surw};

static void test_one_thread(void **state)
{
	static const struct step steps[] = {ACCESS(1),           {STEP_YIELD, 0, 0}, {STEP_LOCK, 0, 1},
	                                    {STEP_SLEEP, 0, 99}, {STEP_SPIN, 0, 50}, {STEP_UNLOCK, 0, 1},
	                                    {STEP_END, 0, 0}};
	const struct step *const scripts[] = {steps};
	(void)state;
	for (unsigned p = 0; p < LENGTH(all); p++) {
		struct model model = {.scripts = scripts, .started = 1};
		model_boot(all[p], 9)->flags = SCHED_FLAG_RECORD;
		model_run(&model);
		assert_int_equal(model.end, MODEL_DONE);
		assert_int_equal(model.switches, 0);
		assert_true(all[p] == SCHED_pct || model.questions[SCHED_KIND_preempt] == 0); /* change points count */
		assert_int_equal(model.record_count, 1);                                      /* the end */
		assert_int_equal(model.records[0].points, 5);
		model_free(&model);
	}
}

/* As many threads as there are slots, and then as many again in the same ones. */
static void test_all_slots(void **state)
{
	static struct step spawning[2 * THREADS_MAX + 2];
	static const struct step end[] = {{STEP_END, 0, 0}};
	const struct step *const scripts[] = {spawning, end};
	unsigned at = 0;
	(void)state;
	while (at < THREADS_MAX - 1)
		spawning[at++] = (struct step){STEP_SPAWN, 0, 1};
	spawning[at++] = (struct step){STEP_YIELD, 0, 0};
	while (at < 2 * THREADS_MAX - 1)
		spawning[at++] = (struct step){STEP_SPAWN, 0, 1};
	struct model model = {.scripts = scripts, .started = 1};
	model_boot(SCHED_fifo, 1)->flags = SCHED_FLAG_RECORD;
	model_run(&model);
	assert_int_equal(model.end, MODEL_DONE);
	assert_int_equal(model.switches, 2 * THREADS_MAX - 1);
	model_free(&model);
}

/* The others go through all that are ready at each point. */
static void test_many_threads(void **state)
{
	static struct step spawning[1002];
	static const struct step brief[] = {ACCESS(1), {STEP_END, 0, 0}};
	const struct step *const scripts[] = {spawning, brief};
	(void)state;
	for (unsigned at = 0; at < 1000; at++)
		spawning[at] = (struct step){STEP_SPAWN, 0, 1};
	for (unsigned p = 0; p < LENGTH(all); p++) {
		struct model model = {.scripts = scripts, .started = 1};
		model_boot(all[p], 1)->flags = SCHED_FLAG_RECORD;
		model_run(&model);
		assert_int_equal(model.end, MODEL_DONE);
		assert_int_equal(model.trace_count, 1000 + 1 + 2000);
		model_free(&model);
	}
}

/* Ticks and decisions near their limits. */
static void test_limits(void **state)
{
	const struct step *const scripts[] = {spinner, three};
	(void)state;
	for (unsigned p = 0; p < LENGTH(all); p++) {
		struct model model = {.scripts = scripts, .started = 2, .now = UINT64_MAX - 1000000};
		model_boot(all[p], 4);
		model_run(&model);
		assert_int_equal(model.end, MODEL_DONE);
		model_free(&model);
	}
	model_boot(SCHED_fifo, 0);
	sched_shared()->points_armed = 1;
	policy_arm(POLICY_NEVER, POLICY_NEVER);
	assert_int_equal(sched_shared()->points_left, INT64_MAX - 1);
	assert_true(sched_shared()->policy_ticks == UINT64_MAX);
	sched_shared()->points_left -= 5;
	assert_int_equal(sched_decide_number(), 5);
	*model_clock() = UINT64_MAX - 10;
	policy_ask_soon();
	assert_int_equal(sched_shared()->points_left, 0);
	assert_int_equal(sched_shared()->points_since, 5);
	policy_arm(7, 20);
	assert_int_equal(sched_shared()->points_left, 6);
	assert_true(sched_shared()->policy_ticks == UINT64_MAX);
}

/* The points of a thread on an object of the model, in the profile of the last run. */
static struct sched_access profiled(uint32_t thread, uint64_t object)
{
	for (unsigned i = 0; i < SCHED_ACCESSES; i++) {
		const struct sched_access *access = &sched_area()->profile.accesses[i];
		if (access->thread == thread && access->object == 0x1000 + 64 * object)
			return *access;
	}
	return (struct sched_access){0};
}

/* A profile does not change the schedule, and has what each thread did while it was not the only one. */
static void test_profile(void **state)
{
	static const struct step first[] = {ACCESS(1),          ACCESS(1),        {STEP_SPAWN, 0, 1},  ACCESS(2),
	                                    {STEP_LOCK, 0, 3},  ACCESS(2),        {STEP_UNLOCK, 0, 3}, {STEP_SET, 0, 7},
	                                    {STEP_AWAIT, 0, 5}, {STEP_SET, 0, 6}, {STEP_END, 0, 0}};
	static const struct step second[] = {ACCESS(2),           {STEP_LOCK, 0, 3},  ACCESS(1),
	                                     {STEP_UNLOCK, 0, 3}, {STEP_AWAIT, 0, 7}, {STEP_SET, 0, 5},
	                                     {STEP_END, 0, 0}};
	const struct step *const scripts[] = {first, second};
	(void)state;
	for (unsigned p = 0; p < LENGTH(all); p++)
		for (uint64_t seed = 0; seed < 50; seed++) {
			struct model plain = {.scripts = scripts, .started = 1}, with = plain;
			struct boot_sched *boot = model_boot(all[p], seed);
			boot->flags = SCHED_FLAG_RECORD;
			set_slice(boot);
			model_run(&plain);
			memset(&sched_area()->profile, 0, sizeof(sched_area()->profile));
			boot = model_boot(all[p], seed);
			boot->flags = SCHED_FLAG_RECORD | SCHED_FLAG_ACCESSES;
			set_slice(boot);
			model_run(&with);
			assert_int_equal(with.end, MODEL_DONE);
			assert_int_equal(with.record_count, plain.record_count);
			assert_memory_equal(with.records, plain.records, plain.record_count * sizeof(*plain.records));
			assert_int_equal(hash_of(&with), hash_of(&plain));
			assert_int_equal(profiled(1, 1).points, 0); /* the thread was alone */
			assert_int_equal(profiled(2, 1).points, 1);
			assert_int_equal(profiled(1, 2).points, 2);
			assert_int_equal(profiled(2, 2).points, 1);
			assert_int_equal(profiled(1, 3).stores, 2);
			assert_int_equal(profiled(2, 3).points, 2);
			assert_int_equal(profiled(1, 6).points, 1); /* also if the other one has ended */
			assert_int_equal(profiled(2, 6).points, 0);
			assert_int_equal(sched_area()->profile.lost, 0);
			assert_int_equal(sched_area()->profile.first, 4); /* the point after the spawn */
			assert_true(sched_area()->profile.last >= 10);
			model_free(&plain);
			model_free(&with);
		}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_fifo_runs_until_it_blocks),
	cmocka_unit_test(test_fifo_yield_goes_behind),
	cmocka_unit_test(test_fifo_slice),
	cmocka_unit_test(test_rr_quantum),
	cmocka_unit_test(test_slice_begins_after_wait),
	cmocka_unit_test(test_random_is_uniform),
	cmocka_unit_test(test_random_rare_points),
	cmocka_unit_test(test_random_passes_libc),
	cmocka_unit_test(test_random_ticks),
	cmocka_unit_test(test_spinning_ends),
	cmocka_unit_test(test_seeds),
	cmocka_unit_test(test_one_thread),
	cmocka_unit_test(test_all_slots),
	cmocka_unit_test(test_many_threads),
	cmocka_unit_test(test_limits),
	cmocka_unit_test(test_profile),
};

int main(void)
{
	model_map();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
