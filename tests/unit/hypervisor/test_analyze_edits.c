/* SPDX-License-Identifier: MIT */
/* The distance of two schedules counts the decisions that have to be added, taken away or changed. */
#include "abi/sched_op.h"
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_edits.h"

/* Makes a plan of a text: "1a2 3b1" are threads 1 and 3, which are replaced by 2 and 1 before operations 0 and 1;
 * "!1a" is an anchor, and "1a2+" a tick. */
static struct plan plan_of(const char *text)
{
	struct plan plan = {0};
	for (; *text; text += strspn(text, " ")) {
		struct sched_plan entry = {.kind = SCHED_PLAN_point};
		if (*text == '!') {
			entry.kind = SCHED_PLAN_anchor;
			text++;
		}
		entry.thread = (uint32_t)(text[0] - '0');
		entry.points = (uint64_t)(text[1] - 'a');
		text += 2;
		if (entry.kind == SCHED_PLAN_point)
			entry.next = (uint32_t)(*text++ - '0');
		for (; *text == '+'; text++) {
			entry.kind = SCHED_PLAN_tick;
			entry.ticks++;
		}
		assert_true(plan_add(&plan, &entry));
	}
	plan_order(&plan);
	return plan;
}

static void check(const char *a, const char *b, uint64_t edits)
{
	struct plan x = plan_of(a), y = plan_of(b);
	assert_int_equal(analyze_edits_between(&x, &y), edits);
	assert_int_equal(analyze_edits_between(&y, &x), edits);
	plan_fini(&x);
	plan_fini(&y);
}

static void test_distance(void **unused)
{
	(void)unused;
	check("", "", 0);
	check("1a2", "1a2", 0);
	check("1a2 3b1", "3b1 1a2", 0); /* their order in time follows from the threads' own */
	check("1a2", "", 1);
	check("1a2", "1a3", 1); /* changed */
	check("1a2", "1b2", 2); /* one taken away, one added */
	check("1a2 2c3 3d1", "1a2 2c1 4a1", 3);
	check("1a2+", "1a2++", 1);
	check("1a2+", "1a2", 2); /* another kind */
	check("!1a 1a2+", "1a2+", 0);
	check("!1a !2b", "", 0);
}

/* A schedule in which thread 1 is replaced `count` times. */
static struct schedule schedule_of(unsigned count)
{
	struct schedule schedule = {.count = count + 1};
	schedule.records = calloc(count + 1, sizeof(*schedule.records));
	schedule.lines = calloc(count + 1, sizeof(*schedule.lines));
	assert_non_null(schedule.records);
	assert_non_null(schedule.lines);
	for (unsigned i = 0; i < count; i++)
		schedule.records[i] =
			(struct sched_record){.thread = 1 + i % 2, .kind = SCHED_KIND_preempt, .op = 1, .points = 1};
	schedule.records[count] =
		(struct sched_record){.thread = 1 + count % 2, .kind = SCHED_KIND_end, .op = SCHED_OP_NONE};
	return schedule;
}

static void free_schedule(struct schedule *schedule)
{
	free(schedule->records);
	free(schedule->lines);
}

static void test_measure(void **unused)
{
	(void)unused;
	struct schedule schedules[] = {schedule_of(4), schedule_of(6), schedule_of(1)};
	struct try_note notes[4] = {0};
	struct analyze analyze = {.notes = notes, .note_count = 4, .given = schedules[0]};
	for (unsigned i = 0; i < 3; i++) {
		struct plan plan = {0};
		assert_true(analyze_edits_take(&plan, &schedules[i], 1));
		analyze_edits_keep(&analyze, &notes[i], &plan);
		assert_null(plan.entries);
	}
	/* From the given schedule, because no nearest one is known. The last try was not recorded. */
	analyze_edits_measure(&analyze);
	static const uint64_t wanted[] = {0, 2, 3, ANALYZE_EDITS_UNKNOWN};
	for (unsigned i = 0; i < 4; i++) {
		assert_true(notes[i].edits == wanted[i]);
		assert_null(notes[i].kept.entries);
	}
	for (unsigned i = 0; i < 3; i++)
		free_schedule(&schedules[i]);
}

/* There is room for so many decisions, whatever the other tries are. */
static void test_room(void **unused)
{
	(void)unused;
	enum { ROOM = 1U << 21 };
	struct schedule schedule = schedule_of(4);
	struct analyze analyze = {.kept = ROOM - 4};
	struct try_note notes[2] = {0};
	struct plan plan = {0};
	assert_false(analyze_edits_take(&plan, &schedule, ROOM / 4 + 1));
	assert_null(plan.entries);
	for (unsigned i = 0; i < 2; i++) {
		assert_true(analyze_edits_take(&plan, &schedule, ROOM / 4));
		analyze_edits_keep(&analyze, &notes[i], &plan);
		assert_true(notes[i].is_kept == !i);
		plan_fini(&plan);
		plan_fini(&notes[i].kept);
	}
	free_schedule(&schedule);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_measure),
		cmocka_unit_test(test_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
