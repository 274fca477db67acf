/* SPDX-License-Identifier: MIT */
/* Reports of the library in the place of libtsan, which a hostile program may make up. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>

#include "race/race_log.h"

/* What was lost in many runs can be added up. */
static void test_lost_does_not_wrap(void **state)
{
	struct race_log log = {.count = 0};
	const struct race_report report = {.kind = RACE_REPORT_END,
	                                   .lost_accesses = UINT64_MAX,
	                                   .lost_kept = UINT64_MAX - 1,
	                                   .lost_races = UINT64_MAX};
	(void)state;
	assert_true(race_log_take(&log, &report));
	assert_true(log.lost_accesses + log.lost_kept > log.lost_accesses);
	assert_true(16 * (log.lost_accesses + log.lost_kept) <= 1UL << 53); /* the largest count in JSON */
	struct race_report race = {.kind = RACE_REPORT_RACE, .side = {{.frames = 1, .pc = {1}}, {.frames = 1}}};
	for (uint64_t i = 0; i < RACE_LOG_MAX + 2; i++) {
		race.side[1].pc[0] = 2 + i;
		assert_true(race_log_take(&log, &race));
	}
	assert_int_equal(log.count, RACE_LOG_MAX);
	assert_int_equal(log.lost_races, RACE_LOST_MAX + 2);
	free(log.races);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_lost_does_not_wrap)};

TAP_MAIN(tests)
