/* SPDX-License-Identifier: MIT */
/* When a guest is said to make no progress, and which. */
#include "abi/ticks.h"
#include "tests/unit/fakes/tap.h"

#include "run/progress.h"

#define SECOND 1000000000UL
#define START (5 * SECOND)

static struct progress progress;
static struct progress_sight sight;

static int set_up(void **state)
{
	(void)state;
	progress = (struct progress){0};
	sight = (struct progress_sight){.decisions = 7, .asked_at = 1000, .doorbells = 3, .ticks = 900};
	return 0;
}

/* What a look says that comes so long after START. */
static enum progress_verdict look(uint64_t after_ns)
{
	return progress_look(&progress, &sight, START + after_ns);
}

static void test_from_the_first_look(void **state)
{
	(void)state;
	sight = (struct progress_sight){0};
	assert_int_equal(look(0), PROGRESS_GOES_ON);
	assert_int_equal(look(10 * SECOND - 1), PROGRESS_GOES_ON);
	assert_int_equal(look(10 * SECOND), PROGRESS_NONE);
}

static void test_from_the_last_change(void **state)
{
	uint64_t *const fields[] = {&sight.decisions, &sight.asked_at, &sight.doorbells, &sight.ticks};
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		set_up(NULL);
		assert_int_equal(look(0), PROGRESS_GOES_ON);
		++*fields[i];
		assert_int_equal(look(6 * SECOND), PROGRESS_GOES_ON);
		assert_int_equal(look(16 * SECOND - 1), PROGRESS_GOES_ON);
		assert_int_equal(look(16 * SECOND), PROGRESS_NONE);
	}
}

/* While ticks pass the policy comes to be asked, if it wants to be at any. */
static void test_ticks_alone(void **state)
{
	(void)state;
	for (unsigned s = 0; s < 100; s++, sight.ticks++)
		assert_int_equal(look(s * SECOND), PROGRESS_GOES_ON);
	sight.asked_at = UINT64_MAX;
	for (unsigned s = 100; s < 110; s++, sight.ticks++)
		assert_int_equal(look(s * SECOND), PROGRESS_GOES_ON);
	assert_int_equal(look(110 * SECOND), PROGRESS_NO_POINT);
	assert_int_equal(look(118 * SECOND), PROGRESS_NO_POINT);
	assert_int_equal(look(120 * SECOND), PROGRESS_NONE);
	sight.decisions++;
	assert_int_equal(look(121 * SECOND), PROGRESS_GOES_ON);
}

static void test_clock(void **state)
{
	(void)state;
	assert_int_equal(progress_ticks(1000, 0), 1000);
	assert_int_equal(progress_ticks(1000, 300 * 256), 700);
	assert_int_equal(progress_ticks(1000, -5 * 256), 1005);
	assert_int_equal(progress_ticks(0, INT64_MIN), 1UL << 55);
}

/* A loop that waits passes points and virtual time, and makes no system call. */
static void test_waiting(void **state)
{
	(void)state;
	assert_int_equal(look(0), PROGRESS_GOES_ON);
	for (unsigned s = 1; s < 10; s++) {
		sight.decisions++;
		sight.ticks += 30 * SECOND * TICKS_PER_NS;
		assert_int_equal(look(s * SECOND), PROGRESS_GOES_ON);
	}
	sight.decisions++;
	assert_int_equal(look(10 * SECOND), PROGRESS_WAITS);
	sight.calls++;
	assert_int_equal(look(11 * SECOND), PROGRESS_GOES_ON);
}

/* Computing with points, the end of a long sleep, and what needs no system call for long are no waits. */
static void test_no_waiting(void **state)
{
	(void)state;
	assert_int_equal(look(0), PROGRESS_GOES_ON);
	sight.ticks += 1000000 * SECOND * TICKS_PER_NS;
	assert_int_equal(look(SECOND / 20), PROGRESS_GOES_ON);
	for (unsigned s = 1; s < 100; s++) {
		sight.decisions++;
		sight.ticks += SECOND * TICKS_PER_NS;
		assert_int_equal(look(s * SECOND), PROGRESS_GOES_ON);
	}
}

/* One thread that yields, or several: these more often, because a program that computes has them yield in turn. */
static void test_yielding(void **state)
{
	(void)state;
	for (unsigned several = 0; several < 2; several++) {
		set_up(NULL);
		assert_int_equal(look(0), PROGRESS_GOES_ON);
		for (unsigned s = 1; s <= 11; s++) {
			sight.decisions += 20000;
			sight.yields += 20000;
			sight.thread = several ? s % 2 : 0;
			assert_int_equal(look(s * SECOND), s < 10 || several ? PROGRESS_GOES_ON : PROGRESS_WAITS);
		}
		sight.yields += 1000000;
		assert_int_equal(look(12 * SECOND), PROGRESS_WAITS);
	}
}

/* A handler that is started again at once, and one that a loop with a timer runs from time to time. */
static void test_handling(void **state)
{
	(void)state;
	assert_int_equal(look(0), PROGRESS_GOES_ON);
	sight.returns += 1000;
	sight.ticks += 1000 * 1000 * TICKS_PER_NS;
	assert_int_equal(look(9 * SECOND), PROGRESS_GOES_ON);
	sight.ticks++;
	assert_int_equal(look(10 * SECOND), PROGRESS_HANDLES);
	sight.ticks += 10 * SECOND * TICKS_PER_NS;
	assert_int_equal(look(11 * SECOND), PROGRESS_GOES_ON);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(test_from_the_first_look, set_up),
	cmocka_unit_test_setup(test_from_the_last_change, set_up),
	cmocka_unit_test_setup(test_ticks_alone, set_up),
	cmocka_unit_test_setup(test_waiting, set_up),
	cmocka_unit_test_setup(test_no_waiting, set_up),
	cmocka_unit_test_setup(test_yielding, set_up),
	cmocka_unit_test_setup(test_handling, set_up),
	cmocka_unit_test(test_clock),
};

TAP_MAIN(tests)
