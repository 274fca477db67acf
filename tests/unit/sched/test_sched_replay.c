/* SPDX-License-Identifier: MIT */
/* Schedules: what is recorded, that a replay does the same and records the same, and what is said when it cannot. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>

#include "abi/sched_op.h"
#include "abi/sched_parameters.h"
#include "kernel/sched/policy_state.h"
#include "tests/unit/sched/model.h"

#define STORE(object) \
	{ \
		STEP_ACCESS, SCHED_OP_store, object \
	}
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void replay(struct model *model, const struct model *recorded, size_t window, bool record)
{
	*model = (struct model){
		.scripts = recorded->scripts,
		.started = recorded->started,
		.schedule = recorded->records,
		.schedule_records = recorded->record_count,
		.window = window,
	};
	model_boot(SCHED_replay, 0)->flags = record ? SCHED_FLAG_RECORD : 0;
	model_run(model);
}

static void expect_same(const struct model *a, const struct model *b, bool records)
{
	if (a->end == MODEL_MISFIT)
		print_message("%s\n", a->misfit);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->now, b->now);
	assert_int_equal(a->switches, b->switches);
	assert_int_equal(a->trace_count, b->trace_count);
	assert_memory_equal(a->trace, b->trace, a->trace_count * sizeof(*a->trace));
	if (!records)
		return;
	assert_int_equal(a->record_count, b->record_count);
	assert_memory_equal(a->records, b->records, a->record_count * sizeof(*a->records));
}

/* Programs of random steps. Locks are taken and given back in pairs, at times one within another, so that some
 * programs end in deadlock; the last scripts are those of threads that are made on the way. */
#define SCRIPTS 6
#define STEPS 40

static struct step programs[SCRIPTS][STEPS + 1];
static const struct step *const scripts[SCRIPTS] = {programs[0], programs[1], programs[2],
                                                    programs[3], programs[4], programs[5]};

static unsigned make_step(struct step *at, unsigned room, unsigned script)
{
	unsigned object = (unsigned)random() % 4, other = (unsigned)random() % 4;
	switch (random() % 12) {
	case 0:
		if (room < 6 || object == other)
			return 0;
		at[0] = (struct step){STEP_LOCK, 0, object};
		at[1] = (struct step)STORE(object);
		at[2] = (struct step){STEP_LOCK, 0, other};
		at[3] = (struct step){random() % 2 ? STEP_SLEEP : STEP_SPIN, 0, 30};
		at[4] = (struct step){STEP_UNLOCK, 0, other};
		at[5] = (struct step){STEP_UNLOCK, 0, object};
		return 6;
	case 1:
	case 2:
		if (room < 3)
			return 0;
		at[0] = (struct step){STEP_LOCK, 0, object};
		at[1] = (struct step){random() % 2 ? STEP_SLEEP : STEP_YIELD, 0, 50};
		at[2] = (struct step){STEP_UNLOCK, 0, object};
		return 3;
	case 3:
		*at = (struct step){STEP_SLEEP, 0, (unsigned)random() % 200};
		return 1;
	case 4:
		*at = (struct step){STEP_YIELD, 0, 0};
		return 1;
	case 5:
		*at = (struct step){STEP_SPIN, 0, (unsigned)random() % 60 + 1};
		return 1;
	case 6:
		if (script >= 3)
			return 0;
		*at = (struct step){STEP_SPAWN, 0, 3 + (unsigned)random() % 3};
		return 1;
	default:
		*at = (struct step)STORE(object);
		return 1;
	}
}

static void make_program(unsigned seed)
{
	srandom(seed);
	for (unsigned script = 0; script < SCRIPTS; script++) {
		unsigned length = 0, wanted = script < 3 ? STEPS : STEPS / 4;
		while (length < wanted)
			length += make_step(&programs[script][length], wanted - length, script);
		programs[script][length] = (struct step){STEP_END, 0, 0};
	}
}

static void record(struct model *model, enum sched_policy_id policy, uint64_t seed)
{
	*model = (struct model){.scripts = scripts, .started = 3};
	struct boot_sched *boot = model_boot(policy, seed);
	boot->flags = SCHED_FLAG_RECORD;
	if (policy == SCHED_rr)
		boot->parameters[SCHED_PARAMETER_rr_quantum] = 150;
	if (policy == SCHED_random)
		boot->parameters[SCHED_PARAMETER_random_ticks] = 300;
	if (policy == SCHED_pct)
		boot->parameters[SCHED_PARAMETER_pct_steps] = 100;
	if (seed % 2 && policy != SCHED_rr && policy != SCHED_random)
		boot->parameters[policy == SCHED_pct ? SCHED_PARAMETER_pct_slice : 0] = 200;
	model_run(model);
}

static const enum sched_policy_id all[] = {SCHED_fifo, SCHED_rr, SCHED_random, SCHED_pct, SCHED_pos, SCHED_surw};

/* Whatever a program does and whoever scheduled it: the replay is the same, from windows of any size, and so is what it
 * records, and the replay of that. */
static void test_replays_are_the_same(void **state)
{
	unsigned deadlocks = 0, kinds[SCHED_KINDS] = {0};
	(void)state;
	for (unsigned seed = 0; seed < 150; seed++) {
		make_program(seed);
		for (unsigned p = 0; p < LENGTH(all); p++) {
			struct model recorded, silent, again;
			record(&recorded, all[p], seed);
			assert_in_range(recorded.end, MODEL_DONE, MODEL_DEADLOCK);
			deadlocks += recorded.end == MODEL_DEADLOCK;
			for (size_t i = 0; i < recorded.record_count; i++)
				kinds[recorded.records[i].kind]++;
			replay(&silent, &recorded, SCHED_WINDOW, false);
			expect_same(&silent, &recorded, false);
			replay(&again, &recorded, 1 + seed % 7, true);
			expect_same(&again, &recorded, true);
			model_free(&recorded);
			model_free(&silent);
			model_free(&again);
		}
	}
	assert_true(deadlocks > 20);
	for (unsigned kind = 0; kind < SCHED_KINDS; kind++)
		assert_true(kinds[kind] > 20 || kind == SCHED_KIND_timeout || kind == SCHED_KIND_signal ||
		            kind == SCHED_KIND_stop);
}

/* The record window of the monitor is emptied when it is full. */
static void test_full_window(void **state)
{
	static const struct step long_spin[] = {{STEP_SPIN, 0, 200000}, {STEP_END, 0, 0}};
	const struct step *const pair[] = {long_spin, long_spin};
	struct model recorded = {.scripts = pair, .started = 2}, again;
	(void)state;
	struct boot_sched *boot = model_boot(SCHED_rr, 0);
	boot->flags = SCHED_FLAG_RECORD;
	boot->parameters[SCHED_PARAMETER_rr_quantum] = 10;
	model_run(&recorded);
	assert_int_equal(recorded.end, MODEL_DONE);
	assert_true(recorded.record_count > SCHED_WINDOW);
	replay(&again, &recorded, SCHED_WINDOW, true);
	expect_same(&again, &recorded, true);
	model_free(&recorded);
	model_free(&again);
}

/* What is recorded. */

static const struct step waits[] = {STORE(1), {STEP_LOCK, 0, 0}, {STEP_SLEEP, 0, 100}, {STEP_UNLOCK, 0, 0},
                                    STORE(1), {STEP_END, 0, 0}};
static const struct step *const waiters[] = {waits, waits, waits};

static void expect_record(const struct sched_record *record, uint32_t thread, uint64_t points, enum sched_kind kind,
                          unsigned op, uint64_t detail)
{
	assert_int_equal(record->thread, thread);
	assert_int_equal(record->points, points);
	assert_int_equal(record->kind, kind);
	assert_int_equal(record->op, op);
	assert_int_equal(record->detail, detail);
}

static void test_records(void **state)
{
	enum { NONE = SCHED_OP_NONE, LOCK = SCHED_OP_pthread_mutex_lock, SLEEP = 35 };
	struct model model = {.scripts = waiters, .started = 3};
	(void)state;
	model_boot(SCHED_fifo, 0)->flags = SCHED_FLAG_RECORD;
	model_run(&model);
	assert_int_equal(model.record_count, 7);
	expect_record(&model.records[0], 1, 3, SCHED_KIND_block, SLEEP, 0);
	expect_record(&model.records[1], 2, 2, SCHED_KIND_block, LOCK, 0);
	expect_record(&model.records[2], 3, 2, SCHED_KIND_block, LOCK, 0);
	expect_record(&model.records[3], 1, 1, SCHED_KIND_wake, NONE, 2);
	expect_record(&model.records[4], 1, 1, SCHED_KIND_exit, NONE, 0);
	expect_record(&model.records[5], 2, 3, SCHED_KIND_exit, NONE, 0); /* it slept while nobody was ready */
	expect_record(&model.records[6], 3, 3, SCHED_KIND_end, NONE, 0);
	model_free(&model);
}

/* Misfits. */

static const struct sched_record fits[] = {
	{1, SCHED_KIND_preempt, SCHED_OP_pthread_mutex_lock, 2, 0},
	{2, SCHED_KIND_block, 35, 3, 0},
	{1, SCHED_KIND_block, SCHED_OP_pthread_mutex_lock, 0, 0},
	{3, SCHED_KIND_block, SCHED_OP_pthread_mutex_lock, 2, 0},
	{2, SCHED_KIND_wake, SCHED_OP_NONE, 1, 3},
	{2, SCHED_KIND_tick, SCHED_OP_NONE, 1, 4},
	{3, SCHED_KIND_block, 35, 1, 0},
	{2, SCHED_KIND_exit, SCHED_OP_NONE, 0, 0},
	{3, SCHED_KIND_exit, SCHED_OP_NONE, 2, 0},
	{1, SCHED_KIND_end, SCHED_OP_NONE, 3, 0},
};

static void run_schedule(struct model *model, const struct sched_record *schedule, size_t count)
{
	*model = (struct model){
		.scripts = waiters, .started = 3, .schedule = schedule, .schedule_records = count, .window = 2};
	model_boot(SCHED_replay, 0);
	model_run(model);
}

static void test_schedule_by_hand(void **state)
{
	struct model model;
	(void)state;
	run_schedule(&model, fits, LENGTH(fits));
	assert_string_equal(model.misfit, "");
	assert_int_equal(model.end, MODEL_DONE);
	model_free(&model);
}

static void expect_misfit(size_t at, struct sched_record instead, uint64_t record, const char *sentence)
{
	struct sched_record schedule[LENGTH(fits)];
	struct model model;
	memcpy(schedule, fits, sizeof(fits));
	schedule[at] = instead;
	run_schedule(&model, schedule, LENGTH(fits));
	assert_int_equal(model.end, MODEL_MISFIT);
	assert_string_equal(model.misfit, sentence);
	assert_int_equal(model.misfit_record, record);
	assert_true(strlen(model.misfit) < 175);
	model_free(&model);
}

static void test_misfits(void **state)
{
	enum { NONE = SCHED_OP_NONE, LOCK = SCHED_OP_pthread_mutex_lock };
	(void)state;
	expect_misfit(0, (struct sched_record){1, SCHED_KIND_preempt, SCHED_OP_load, 2, 0}, 0,
	              "decision 2: the schedule says thread 1 is replaced before load, its point 2, but thread 1 comes "
	              "to pthread_mutex_lock after 2");
	expect_misfit(0, (struct sched_record){1, SCHED_KIND_preempt, NONE, 4, 0}, 0,
	              "decision 3: the schedule says thread 1 is replaced before anything, its point 4, but thread 1 "
	              "waits in nanosleep after 3");
	expect_misfit(
		0, (struct sched_record){1, SCHED_KIND_exit, NONE, 2, 0}, 0,
		"decision 3: the schedule says thread 1 ends after 2 points, but thread 1 comes to nanosleep after 3");
	expect_misfit(0, (struct sched_record){2, SCHED_KIND_preempt, LOCK, 2, 0}, 0,
	              "decision 0: the schedule begins with thread 2, but the run begins with thread 1");
	expect_misfit(1, (struct sched_record){3, SCHED_KIND_block, 34, 3, 0}, 1,
	              "decision 5: the schedule says thread 3 waits in pause after 3 points, but thread 3 waits in "
	              "nanosleep after 3");
	expect_misfit(1, (struct sched_record){9, SCHED_KIND_block, 35, 3, 0}, 1,
	              "decision 2: the schedule says thread 9 goes on, but there is no such thread");
	expect_misfit(1, (struct sched_record){2, SCHED_KIND_preempt, 35, 4, 0}, 1,
	              "decision 5: the schedule says thread 2 is replaced before nanosleep, its point 4, but thread 2 "
	              "waits in nanosleep after 3");
	expect_misfit(1, (struct sched_record){2, SCHED_KIND_yield, 35, 3, 0}, 1,
	              "decision 5: the schedule says thread 2 gives way in nanosleep after 3 points, but thread 2 "
	              "waits in nanosleep after 3");
	expect_misfit(3, (struct sched_record){2, SCHED_KIND_block, LOCK, 2, 0}, 3,
	              "decision 5: the schedule says thread 2 goes on, but it waits for something");
	expect_misfit(3, (struct sched_record){3, SCHED_KIND_tick, NONE, 2, 1000}, 3,
	              "decision 7: the schedule says thread 3 is replaced 1000 ticks on, after 2 points, but thread 3 "
	              "waits in pthread_mutex_lock after 2");
	expect_misfit(3, (struct sched_record){3, SCHED_KIND_tick, NONE, 2, 3}, 3,
	              "decision 6: the schedule says thread 3 is replaced 3 ticks on, after 2 points, but that time "
	              "has passed after 1");
	expect_misfit(4, (struct sched_record){2, SCHED_KIND_wake, NONE, 1, 2}, 4,
	              "decision 8: the schedule says thread 2, which is not among the 2 that could be woken");
	expect_misfit(4, (struct sched_record){2, SCHED_KIND_timeout, NONE, 1, 1}, 4,
	              "decision 8: the schedule says a timeout counts after 1 point of thread 2, but one of several "
	              "threads is woken after 1");
	expect_misfit(4, (struct sched_record){2, SCHED_KIND_signal, NONE, 1, 2}, 4,
	              "decision 8: the schedule says thread 2 gets a signal after 1 point of thread 2, but one of "
	              "several threads is woken after 1");
	expect_misfit(5, (struct sched_record){3, SCHED_KIND_tick, NONE, 0, 4}, 5,
	              "decision 8: the schedule says thread 3 goes on, but thread 2 runs");
	expect_misfit(5, (struct sched_record){2, SCHED_KIND_wake, NONE, 0, 4}, 5,
	              "decision 10: the schedule says thread 4 is woken after 0 points of thread 2, but thread 2 comes "
	              "to store after 1");
	expect_misfit(
		0, (struct sched_record){1, SCHED_KIND_jump, LOCK, 2, 0}, 0,
		"decision 2: the schedule says time jumps before pthread_mutex_lock of thread 1, its point 2, but "
		"thread 1 comes to pthread_mutex_lock after 2");
	expect_misfit(
		1, (struct sched_record){2, SCHED_KIND_jump, NONE, 4, 0}, 1,
		"decision 5: the schedule says time jumps in a call of thread 2 after 4 points, but thread 2 waits "
		"in nanosleep after 3");
	expect_misfit(1, (struct sched_record){2, SCHED_KIND_jump, NONE, 3, 0}, 2,
	              "decision 5: the schedule says thread 1 goes on, but thread 2 runs");
	expect_misfit(
		5, (struct sched_record){2, SCHED_KIND_woken, NONE, 1, 2}, 5,
		"decision 10: the schedule says thread 2 is replaced after 1 point and waking 2, but thread 2 ends "
		"after 1");
	expect_misfit(9, (struct sched_record){1, SCHED_KIND_exit, NONE, 3, 0}, 9,
	              "decision 16: the schedule says thread 1 ends after 3 points, but the run exits after 3");
	expect_misfit(
		9, (struct sched_record){1, SCHED_KIND_end, NONE, 4, 0}, 9,
		"decision 16: the schedule says the run ends after 4 points of thread 1, but the run exits after 3");
}

/* A run that was stopped anywhere is replayed to there: it does the same until then, and no more. */
static void test_stops(void **state)
{
	unsigned stopped = 0;
	(void)state;
	for (unsigned seed = 0; seed < 50; seed++) {
		make_program(seed);
		for (unsigned p = 0; p < LENGTH(all); p++) {
			struct model recorded, again;
			record(&recorded, all[p], seed);
			size_t cut = (size_t)random() % recorded.record_count, full = recorded.record_count;
			struct sched_record *last = &recorded.records[cut];
			uint64_t points = (uint64_t)random() % (last->points + 1);
			*last = (struct sched_record){last->thread, SCHED_KIND_stop, SCHED_OP_NONE, points, 0};
			recorded.record_count = cut + 1;
			replay(&again, &recorded, 1 + seed % 7, true);
			if (again.end == MODEL_MISFIT)
				print_message("%s\n", again.misfit);
			assert_int_equal(again.end, MODEL_STOPPED);
			assert_int_equal(again.record_count, cut); /* the monitor adds the stop */
			assert_memory_equal(again.records, recorded.records, cut * sizeof(*again.records));
			assert_in_range(again.trace_count, 0, recorded.trace_count);
			assert_memory_equal(again.trace, recorded.trace, again.trace_count * sizeof(*again.trace));
			stopped += cut + 1 < full;
			model_free(&recorded);
			model_free(&again);
		}
	}
	assert_true(stopped > 100);
}

static void test_stop_misfits(void **state)
{
	enum { NONE = SCHED_OP_NONE };
	(void)state;
	expect_misfit(
		9, (struct sched_record){1, SCHED_KIND_stop, NONE, 4, 0}, 9,
		"decision 16: the schedule says the run was stopped after 4 points of thread 1, but the run exits "
		"after 3");
}

#define ENDS(decision, where) \
	"decision " decision ": the schedule ends where " where ", and does not say how it goes on"

/* By how many records there are. */
static const char *const too_short[LENGTH(fits)] = {
	"decision 0: the schedule is empty",
	ENDS("2", "thread 1 comes to pthread_mutex_lock"),
	ENDS("5", "thread 2 waits in nanosleep"),
	ENDS("5", "thread 1 waits in pthread_mutex_lock"),
	ENDS("7", "thread 3 waits in pthread_mutex_lock"),
	ENDS("8", "one of several threads is woken"),
	ENDS("10", "thread 2 is replaced at a tick"),
	ENDS("11", "thread 3 waits in nanosleep"),
	ENDS("11", "thread 2 ends"),
	ENDS("13", "thread 3 ends"),
};

static void test_too_short_or_long(void **state)
{
	struct sched_record schedule[LENGTH(fits) + 1];
	struct model model;
	(void)state;
	memcpy(schedule, fits, sizeof(fits));
	schedule[LENGTH(fits)] = fits[0];
	for (size_t count = 0; count < LENGTH(fits); count++) {
		run_schedule(&model, schedule, count);
		assert_int_equal(model.end, MODEL_MISFIT);
		assert_int_equal(model.misfit_record, count);
		assert_string_equal(model.misfit, too_short[count]);
		model_free(&model);
	}
	run_schedule(&model, schedule, LENGTH(fits) + 1);
	assert_int_equal(model.end, MODEL_MISFIT);
	assert_int_equal(model.misfit_record, LENGTH(fits));
	assert_string_equal(model.misfit, "decision 16: the run exits, but the schedule goes on with thread 1");
	model_free(&model);
}

/* A replacement by oneself, which nobody records but a person may write, is followed and written again. */
static void test_replaced_by_itself(void **state)
{
	struct sched_record schedule[LENGTH(fits) + 1];
	struct model model = {.schedule = NULL}, recorded = {.scripts = waiters, .started = 3};
	(void)state;
	schedule[0] = (struct sched_record){1, SCHED_KIND_preempt, SCHED_OP_NONE, 1, 0};
	memcpy(schedule + 1, fits, sizeof(fits));
	schedule[1].points = 1;
	recorded.records = schedule;
	recorded.record_count = LENGTH(schedule);
	replay(&model, &recorded, 3, true);
	assert_int_equal(model.end, MODEL_DONE);
	assert_int_equal(model.record_count, LENGTH(schedule));
	schedule[0].op = SCHED_OP_store; /* filled in */
	assert_memory_equal(model.records, schedule, sizeof(schedule));
	model_free(&model);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_replays_are_the_same),
	cmocka_unit_test(test_full_window),
	cmocka_unit_test(test_records),
	cmocka_unit_test(test_schedule_by_hand),
	cmocka_unit_test(test_misfits),
	cmocka_unit_test(test_stops),
	cmocka_unit_test(test_stop_misfits),
	cmocka_unit_test(test_too_short_or_long),
	cmocka_unit_test(test_replaced_by_itself),
};

int main(void)
{
	model_map();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
