/* SPDX-License-Identifier: MIT */
/* Plans and orders of events of schedules. */
#include "tests/unit/fakes/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sched/schedule_plan.h"

static struct error error;

static struct schedule schedule_of(const char *lines)
{
	struct schedule schedule;
	char *text;
	assert_true(asprintf(&text, "eremite-schedule 1\n%s", lines) > 0);
	FILE *from = fmemopen(text, strlen(text), "r");
	assert_non_null(from);
	assert_int_equal(schedule_read(&schedule, from, "test", &error), 0);
	fclose(from);
	free(text);
	return schedule;
}

/* The entries, in order, as "THREAD:POINTS.PART KIND NEXT TICKS". */
static const char *plan_text(const char *lines)
{
	static const char *const kinds[] = {
#define NAME(name) #name,
		SCHED_PLAN_LIST(NAME)
#undef NAME
	};
	static char text[1024];
	struct schedule schedule = schedule_of(lines);
	struct plan plan = {0};
	char *to = text;
	*to = 0;
	assert_int_equal(plan_of_schedule(&plan, &schedule, &error), 0);
	plan_order(&plan);
	for (size_t i = 0; i < plan.count; i++) {
		const struct sched_plan *entry = &plan.entries[i];
		to += sprintf(to, "%s%u:%lu.%u %s %u %lu", i ? ", " : "", entry->thread, entry->points, entry->part,
		              kinds[entry->kind], entry->next, entry->ticks);
		assert_non_null(plan_find(&plan, entry));
	}
	plan_fini(&plan);
	schedule_free(&schedule);
	return text;
}

static const char *events_text(const char *lines)
{
	static char text[1024];
	struct schedule schedule = schedule_of(lines);
	struct plan_events events = {0};
	char *to = text;
	*to = 0;
	assert_int_equal(plan_events_of_schedule(&events, &schedule, &error), 0);
	for (size_t i = 0; i < events.count; i++)
		to += sprintf(to, "%s%u:%lu.%u", i ? " " : "", events.at[i].thread, events.at[i].points,
		              events.at[i].part);
	plan_events_fini(&events);
	schedule_free(&schedule);
	return text;
}

static void test_plan(void **state)
{
	(void)state;
	assert_string_equal(plan_text("1 7 block pthread_join\n2 3 preempt load\n3 9 exit\n2 12 exit\n1 4 end\n"),
	                    "1:7.0 wait 2 0, 2:3.0 point 3 0, 2:15.0 wait 1 0, 3:9.0 wait 2 0");
	/* A second wait in one operation, and a choice, whose kind is wake (5). */
	assert_string_equal(plan_text("1 2 block futex\n2 1 wake 1\n2 1 preempt load\n1 0 block futex\n2 1 end\n"),
	                    "1:2.0 wait 2 0, 1:2.1 wait 2 0, 2:1.0 choice 1 5, 2:2.0 point 1 0");
	assert_string_equal(plan_text("1 2 end\n"), "");
}

static void test_ticks(void **state)
{
	(void)state;
	/* The running time adds up over ticks, and counts from the operation at whose point the thread was replaced. */
	assert_string_equal(
		plan_text("1 2 preempt load\n2 1 preempt load\n1 0 tick 30\n2 0 tick 5\n1 1 tick 40\n2 1 end\n"),
		"1:2.0 point 2 0, 1:2.0 anchor 0 0, 1:2.0 anchor 0 0, 1:2.0 tick 2 30, 1:3.0 tick 2 70, "
		"2:1.0 point 1 0, 2:1.0 anchor 0 0, 2:1.0 tick 1 5");
}

/* Jumps of time, and threads that are replaced when they have woken others. */
#define LATE \
	"1 3 jump load\n1 0 woken 2\n2 2 jump\n2 0 block futex\n1 1 woken 2\n3 1 jump sem_post\n3 0 woken 2\n" \
	"1 1 jump sem_post\n1 0 woken 1\n2 0 end\n"

static void test_jumps(void **state)
{
	(void)state;
	assert_string_equal(plan_text(LATE),
	                    "1:3.0 point 2 0, 1:3.0 leap 1 0, 1:4.0 woken 3 0, 1:5.0 point 2 0, 1:5.0 leap 1 0, "
	                    "2:2.0 wait 1 0, 2:2.0 jump 2 0, 3:1.0 leap 3 0, 3:1.0 woken 1 2");
	/* Before operation 3 of thread 1, and before its operation 5, time jumps and another thread runs. */
	assert_string_equal(events_text(LATE),
	                    "1:0.0 1:1.0 1:2.0 2:0.0 2:1.0 2:2.0 1:3.0 1:4.0 3:0.0 3:1.0 1:4.1 2:2.1");
}

static void test_events(void **state)
{
	(void)state;
	/* A thread replaced at a point begins that operation when it goes on; one that waited goes on in it. */
	assert_string_equal(events_text("1 2 preempt load\n2 1 block futex\n1 1 preempt load\n2 1 exit\n1 1 end\n"),
	                    "1:0.0 1:1.0 2:0.0 2:1.0 1:2.0 2:1.1 2:2.0 1:3.0 1:4.0");
	/* A choice interrupts nothing. */
	assert_string_equal(events_text("1 2 wake 2\n1 1 preempt load\n2 1 end\n"), "1:0.0 1:1.0 1:2.0 2:0.0 2:1.0");
}

/* Events become entries where another thread follows, and a tick where there was one. */
static void test_of_events(void **state)
{
	struct schedule schedule = schedule_of("1 1 tick 9\n2 2 preempt load\n1 1 end\n");
	struct plan_events events = {0};
	struct plan all = {0}, plan = {0};
	(void)state;
	assert_int_equal(plan_events_of_schedule(&events, &schedule, &error), 0);
	assert_int_equal(plan_of_schedule(&all, &schedule, &error), 0);
	plan_order(&all);
	assert_true(plan_of_events(&plan, &events, &all));
	assert_int_equal(plan.count, 2);
	assert_int_equal(plan.entries[0].kind, SCHED_PLAN_tick);
	assert_int_equal(plan.entries[0].ticks, 9);
	assert_int_equal(plan.entries[0].next, 2);
	assert_int_equal(plan.entries[1].kind, SCHED_PLAN_after);
	assert_int_equal(plan.entries[1].thread, 2);
	assert_int_equal(plan.entries[1].points, 1);
	plan_events_fini(&events);
	plan_fini(&all);
	plan_fini(&plan);
	schedule_free(&schedule);
}

/* A stay covers the operations that a thread begins without being replaced in between. */
static void test_stays(void **state)
{
	struct schedule schedule = schedule_of("1 7 yield sched_yield\n2 1 preempt load\n1 0 block futex\n2 2 end\n");
	struct plan_events events = {0};
	struct plan plan = {0}, of_events = {0};
	(void)state;
	assert_int_equal(plan_add_stays(&plan, &schedule, &error), 0);
	assert_int_equal(plan.count, 3);
	assert_int_equal(plan.entries[0].kind, SCHED_PLAN_stay);
	assert_int_equal(plan.entries[0].points, 0);
	assert_int_equal(plan.entries[0].ticks, 7);
	assert_int_equal(plan.entries[2].thread, 2);
	assert_int_equal(plan.entries[2].points, 1);
	assert_int_equal(plan.entries[2].ticks, 3);
	assert_int_equal(plan_events_of_schedule(&events, &schedule, &error), 0);
	assert_true(plan_add_event_stays(&of_events, &events));
	assert_int_equal(of_events.entries[0].thread, 1);
	assert_int_equal(of_events.entries[0].ticks, 7);
	plan_events_fini(&events);
	plan_fini(&plan);
	plan_fini(&of_events);
	schedule_free(&schedule);
}

/* The entries that the events of a schedule become, in order, as plan_text writes them. */
static const char *of_events_text(const char *lines)
{
	static char text[1024];
	struct schedule schedule = schedule_of(lines);
	struct plan_events events = {0};
	struct plan all = {0}, ticks = {0}, plan = {0};
	char *to = text;
	assert_int_equal(plan_events_of_schedule(&events, &schedule, &error), 0);
	assert_int_equal(plan_of_schedule(&all, &schedule, &error), 0);
	for (size_t i = 0; i < all.count; i++)
		if (all.entries[i].kind == SCHED_PLAN_tick || all.entries[i].kind == SCHED_PLAN_woken)
			assert_true(plan_add(&ticks, &all.entries[i]));
	plan_order(&ticks);
	assert_true(plan_of_events(&plan, &events, &ticks));
	for (size_t i = 0; i < plan.count; i++)
		to += sprintf(to, "%s%u:%lu.%u %u", i ? ", " : "", plan.entries[i].thread, plan.entries[i].points,
		              plan.entries[i].part, plan.entries[i].kind);
	plan_events_fini(&events);
	plan_fini(&all);
	plan_fini(&ticks);
	plan_fini(&plan);
	schedule_free(&schedule);
	return text;
}

/* A thread gives way where the schedule says it, also after a choice in the same operation; an operation that
 * waits has two parts, and a tick in the second part does not belong to the first one. */
static void test_of_rests(void **state)
{
	char wanted[128];
	(void)state;
	sprintf(wanted, "1:2.1 %d, 2:1.0 %d", SCHED_PLAN_woken, SCHED_PLAN_after);
	assert_string_equal(of_events_text("1 2 wake 2\n1 0 woken 1\n2 1 block futex\n1 1 end\n"), wanted);
	sprintf(wanted, "1:2.0 %d, 1:2.1 %d, 2:1.0 %d, 2:1.1 %d", SCHED_PLAN_after, SCHED_PLAN_tick, SCHED_PLAN_after,
	        SCHED_PLAN_after);
	assert_string_equal(of_events_text("1 2 block futex\n2 1 block futex\n1 0 tick 9\n2 0 block futex\n1 1 end\n"),
	                    wanted);
}

static void test_limits(void **state)
{
	struct schedule schedule = schedule_of("4000000000 1 end\n");
	struct plan plan = {0};
	struct plan_events events = {0};
	(void)state;
	assert_int_not_equal(plan_of_schedule(&plan, &schedule, &error), 0);
	assert_non_null(strstr(error.text, "names thread 4000000000"));
	assert_int_not_equal(plan_events_of_schedule(&events, &schedule, &error), 0);
	schedule_free(&schedule);
	schedule = schedule_of("1 9000000000000000000 end\n");
	assert_int_not_equal(plan_events_of_schedule(&events, &schedule, &error), 0);
	assert_non_null(strstr(error.text, "has more than 16777216 events"));
	schedule_free(&schedule);
	plan_events_fini(&events);
	plan_fini(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan),      cmocka_unit_test(test_ticks),    cmocka_unit_test(test_events),
		cmocka_unit_test(test_of_events), cmocka_unit_test(test_stays),    cmocka_unit_test(test_limits),
		cmocka_unit_test(test_jumps),     cmocka_unit_test(test_of_rests),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
