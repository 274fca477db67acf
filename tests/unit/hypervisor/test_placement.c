/* SPDX-License-Identifier: MIT */
/* When the guest's processes keep to one of the host's processors, and that nothing else does. */
#include "tests/unit/fakes/tap.h"

#include <pthread.h>
#include <string.h>

#include "base/beside.h"
#include "engine/process/placement.h"

#define MS 1000000UL
#define LOOKS 100

static struct plan plan;
static struct placement placement;
static cpu_set_t all;

static int set_up(void **state)
{
	(void)state;
	plan = (struct plan){0};
	placement = (struct placement){0};
	return sched_getaffinity(0, sizeof(all), &all);
}

static int tear_down(void **state)
{
	(void)state;
	return sched_setaffinity(0, sizeof(all), &all);
}

static int processors(void)
{
	cpu_set_t set;
	assert_false(sched_getaffinity(0, sizeof(set), &set));
	return CPU_COUNT(&set);
}

static int planned(void)
{
	cpu_set_t set;
	memcpy(&set, plan.processors, sizeof(set));
	return CPU_COUNT(&set);
}

static void *count_beside(void *result)
{
	*(int *)result = processors();
	return NULL;
}

static void need_several(void)
{
	if (CPU_COUNT(&all) < 2)
		skip();
}

static void test_begins_on_one(void **state)
{
	int beside = 0;
	pthread_t thread;
	(void)state;
	need_several();
	placement_begin(&placement, &plan);
	assert_true(placement.together);
	assert_int_equal(processors(), 1);
	assert_int_equal(planned(), 1);
	assert_int_equal(plan.placement, 1);
	assert_true(beside_start(&thread, count_beside, &beside));
	pthread_join(thread, NULL);
	assert_int_equal(beside, CPU_COUNT(&all));
	placement_end(&placement);
	assert_int_equal(processors(), CPU_COUNT(&all));
}

static void test_leaves_a_guest_that_computes_to_the_host(void **state)
{
	(void)state;
	need_several();
	placement_begin(&placement, &plan);
	placement.next_ns = 0;
	assert_true(placement_look(&placement, &plan, 0, true));
	assert_int_equal(processors(), CPU_COUNT(&all));
	assert_int_equal(planned(), CPU_COUNT(&all));
	assert_int_equal(plan.placement, 2);
	placement.next_ns = 0;
	assert_false(placement_look(&placement, &plan, 1000, true)); /* each process sees to it when it gets the turn */
	assert_int_equal(planned(), 1);
}

static void test_one_processor_is_left_alone(void **state)
{
	cpu_set_t one;
	(void)state;
	CPU_ZERO(&one);
	for (int i = 0; !CPU_COUNT(&one); i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	assert_false(sched_setaffinity(0, sizeof(one), &one));
	placement_begin(&placement, &plan);
	assert_false(placement.several);
	assert_int_equal(plan.placement, 0);
	assert_int_equal(placement_wait_ns(&placement), 0);
	assert_false(placement_look(&placement, &plan, 1000, true));
}

static void test_looks_every_10_ms(void **state)
{
	(void)state;
	placement = (struct placement){.several = true, .next_ns = 10 * MS};
	assert_false(placement_decide(&placement, 1000, 10 * MS - 1));
	assert_true(placement_decide(&placement, 1000, 10 * MS));
	placement.together = true;
	assert_true(placement_decide(&placement, 1000, 20 * MS - 1));
	assert_false(placement_decide(&placement, 1000, 20 * MS));
}

/* Two guests that chose the same processor do not stay there. */
static void test_parts_now_and_then(void **state)
{
	unsigned apart = 0;
	(void)state;
	placement = (struct placement){.several = true, .together = true};
	for (unsigned i = 1; i <= LOOKS; i++) {
		bool together = placement_decide(&placement, 100 * i, 10 * MS * i);
		apart += !together;
		if (together != placement.together)
			placement.looks = 0;
		placement.together = together;
	}
	assert_int_equal(apart, 5);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(test_begins_on_one, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_leaves_a_guest_that_computes_to_the_host, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_one_processor_is_left_alone, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_looks_every_10_ms, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_parts_now_and_then, set_up, tear_down),
};

TAP_MAIN(tests)
