/* SPDX-License-Identifier: MIT */
/* Jumps of time while a thread is ready: every policy that searches makes them, the others do not, and they end. */
#include "tests/unit/fakes/tap.h"

#include "abi/sched_op.h"
#include "abi/sched_parameters.h"
#include "kernel/sched/policy_state.h"
#include "tests/unit/sched/model.h"

#define ACCESS(object) \
	{ \
		STEP_ACCESS, SCHED_OP_store, object \
	}
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define SLEEP_NS 1000
#define SLEEPS 200
#define JUMPS 5
#define SEEDS 100

static const enum sched_policy_id searching[] = {SCHED_random, SCHED_pct, SCHED_pos, SCHED_surw};

static const struct step sleeper[] = {{STEP_SLEEP, 0, SLEEP_NS *TICKS_PER_NS}, ACCESS(1), {STEP_END, 0, 0}};
static const struct step worker[] = {ACCESS(1), ACCESS(1), ACCESS(1), {STEP_END, 0, 0}};
static const struct step *const pair[] = {sleeper, worker};

static struct boot_sched *boot(enum sched_policy_id policy, uint64_t seed)
{
	struct boot_sched *boot = model_boot(policy, seed);
	if (policy == SCHED_random)
		boot->parameters[SCHED_PARAMETER_random_ticks] = SCHED_NEVER;
	return boot;
}

/* The seeds of a policy with which the sleep ends before the worker. */
static unsigned sleeps_end_first(enum sched_policy_id policy, uint64_t delay)
{
	unsigned first = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct model model = {.scripts = pair, .started = 2};
		boot(policy, seed)->parameters[SCHED_PARAMETER_random_delay] = delay;
		model_run(&model);
		assert_int_equal(model.end, MODEL_DONE);
		first += model.trace[model.trace_count - 1] >> 16 == 2;
		assert_true(model.jumps <= 1);
		model_free(&model);
	}
	return first;
}

static void test_a_sleep_may_end_first(void **state)
{
	(void)state;
	for (unsigned p = 0; p < LENGTH(searching); p++) {
		assert_in_range(sleeps_end_first(searching[p], 0), 5, SEEDS / 2);
		assert_int_equal(sleeps_end_first(searching[p], SCHED_NEVER), 0);
		assert_int_equal(sleeps_end_first(searching[p], (SLEEP_NS - 1) * TICKS_PER_NS), 0);
	}
	assert_int_equal(sleeps_end_first(SCHED_fifo, 0), 0);
	assert_int_equal(sleeps_end_first(SCHED_rr, 0), 0);
}

/* A thread that always sleeps can be ahead of one that never waits only by `delay`. */
static void test_jumps_are_bounded(void **state)
{
	static struct step sleeps[SLEEPS + 1], works[10 * SLEEPS + 1];
	static const struct step *const scripts[] = {sleeps, works};
	unsigned most = 0;
	(void)state;
	for (unsigned i = 0; i < SLEEPS; i++)
		sleeps[i] = (struct step){STEP_SLEEP, 0, SLEEP_NS * TICKS_PER_NS};
	for (unsigned i = 0; i < 10 * SLEEPS; i++)
		works[i] = (struct step)ACCESS(1);
	for (unsigned p = 0; p < LENGTH(searching); p++)
		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			struct model model = {.scripts = scripts, .started = 2};
			boot(searching[p], seed)->parameters[SCHED_PARAMETER_random_delay] =
				JUMPS * (SLEEP_NS + 1) * TICKS_PER_NS;
			model_run(&model);
			assert_int_equal(model.end, MODEL_DONE);
			assert_true(model.jumps <= JUMPS);
			if (model.jumps > most)
				most = (unsigned)model.jumps;
			model_free(&model);
		}
	assert_int_equal(most, JUMPS);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_a_sleep_may_end_first),
	cmocka_unit_test(test_jumps_are_bounded),
};

int main(void)
{
	model_map();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
