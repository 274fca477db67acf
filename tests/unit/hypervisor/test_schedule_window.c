/* SPDX-License-Identifier: MIT */
/* The window of schedule records with a guest that does as it should, and with ones that do not. */
#include "abi/sched_area.h"
#include "abi/sched_op.h"
#include "abi/sched_reads.h"
#include "abi/sched_shared.h"
#include "sched/schedule.h"
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sched/schedule_window.h"

static struct guest_memory memory;
static struct sched_shared *shared;
static struct schedule_window window;
static struct error error;

static int set_up(void **state)
{
	(void)state;
	if (guest_memory_init(&memory, LAYOUT_RAM_MIN))
		return -1;
	shared = guest_memory_at(&memory, gpa(LAYOUT_SCHED), sizeof(*shared));
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	schedule_window_fini(&window);
	guest_memory_fini(&memory);
	return 0;
}

static void test_not_needed(void **state)
{
	struct sched_config config = {.boot.policy = SCHED_rr};
	struct sched_account account;
	(void)state;
	assert_int_equal(schedule_window_init(&window, &config, NULL, NULL, &memory, host_memory_anonymous), 0);
	assert_null(window.area);
	assert_int_not_equal(schedule_window_turn(&window, &memory, &error), 0);
	assert_string_equal(error.text, "the guest asks for schedule records, but it has no schedule area");
	assert_int_equal(schedule_window_close(&window, &memory, NULL, &error), 0);
	assert_false(schedule_window_account(&window, 0, &account));
}

static void test_record(void **state)
{
	struct sched_config config = {.boot.flags = SCHED_FLAG_RECORD};
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	(void)state;
	assert_int_equal(schedule_window_init(&window, &config, NULL, to, &memory, host_memory_anonymous), 0);
	for (unsigned i = 0; i < SCHED_WINDOW; i++)
		window.area->records[i] = (struct sched_record){1, SCHED_KIND_exit, SCHED_OP_NONE, 4, 0};
	shared->records_at = SCHED_WINDOW;
	assert_int_equal(schedule_window_turn(&window, &memory, &error), 0);
	assert_int_equal(shared->records_at, 0);
	assert_int_equal(shared->records_before, SCHED_WINDOW);
	window.area->records[0] = (struct sched_record){2, SCHED_KIND_end, SCHED_OP_NONE, 3, 0};
	shared->records_at = 1;
	assert_int_equal(schedule_window_close(&window, &memory, NULL, &error), 0);
	fclose(to);
	assert_int_equal(bytes, strlen("eremite-schedule 1 digest 1\n# THREAD POINTS KIND [OP] [DETAIL]\n") +
	                                SCHED_WINDOW * strlen("1 4 exit\n") + strlen("2 3 end\n"));
	assert_string_equal(text + bytes - 17, "1 4 exit\n2 3 end\n");
	free(text);
}

/* A guest that changes its count while its records are written. */
static bool changes;
void __real_schedule_print_record(FILE *to, const struct sched_record *record);
void __wrap_schedule_print_record(FILE *to, const struct sched_record *record);

void __wrap_schedule_print_record(FILE *to, const struct sched_record *record)
{
	__real_schedule_print_record(to, record);
	if (changes) {
		shared->records_at = UINT64_MAX;
		shared->records_before = 7;
	}
}

static void test_count_changes(void **state)
{
	struct sched_config config = {.boot.flags = SCHED_FLAG_RECORD};
	FILE *to = fopen("/dev/null", "w");
	(void)state;
	assert_int_equal(schedule_window_init(&window, &config, NULL, to, &memory, host_memory_anonymous), 0);
	for (unsigned i = 0; i < 3; i++)
		window.area->records[i] = (struct sched_record){1, SCHED_KIND_exit, SCHED_OP_NONE, 4, 0};
	shared->records_before = 40;
	shared->records_at = 3;
	changes = true;
	assert_int_equal(schedule_window_turn(&window, &memory, &error), 0);
	changes = false;
	assert_int_equal(shared->records_before, 43);
	assert_int_equal(shared->records_at, 0);
	fclose(to);
}

static void test_stopped(void **state)
{
	struct sched_config config = {.boot.flags = SCHED_FLAG_RECORD};
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	(void)state;
	assert_int_equal(schedule_window_init(&window, &config, NULL, to, &memory, host_memory_anonymous), 0);
	shared->current = 3;
	shared->points_since = 100;
	shared->points_armed = 50;
	shared->points_left = 41; /* 8 were passed */
	shared->slice_start = 1000;
	struct sched_record stop = schedule_window_stop(&window, shared, 1042);
	assert_int_equal(schedule_window_close(&window, &memory, &stop, &error), 0);
	stop.points = 1UL << 63; /* makes no sense */
	assert_int_equal(schedule_window_close(&window, &memory, &stop, &error), 0);
	fclose(to);
	assert_string_equal(text + bytes - 14, "\n3 108 stop 42\n" + 1);
	free(text);
}

/* Nothing follows an end: not the stop of a run that is cut short while it leaves /out, nor what a guest makes up. */
static void test_ended(void **state)
{
	struct sched_config config = {.boot.flags = SCHED_FLAG_RECORD};
	const struct sched_record stop = {.thread = 1, .kind = SCHED_KIND_stop, .op = SCHED_OP_NONE};
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	(void)state;
	assert_int_equal(schedule_window_init(&window, &config, NULL, to, &memory, host_memory_anonymous), 0);
	window.area->records[0] = (struct sched_record){2, SCHED_KIND_end, SCHED_OP_NONE, 3, 0};
	shared->records_at = 1;
	assert_int_equal(schedule_window_turn(&window, &memory, &error), 0);
	assert_int_equal(schedule_window_close(&window, &memory, &stop, &error), 0);
	fflush(to);
	assert_string_equal(text + bytes - 8, "2 3 end\n");
	window.area->records[0] = (struct sched_record){1, SCHED_KIND_exit, SCHED_OP_NONE, 4, 0};
	shared->records_at = 1;
	assert_int_equal(schedule_window_turn(&window, &memory, &error), -EPROTO);
	assert_non_null(strstr(error.text, "an impossible schedule record: decision 2"));
	fclose(to);
	free(text);
}

/* A guest that says, with records_at as it is, what is no record. */
static void expect_refused(const char *what)
{
	shared->records_before = 41;
	assert_int_not_equal(schedule_window_turn(&window, &memory, &error), 0);
	if (!strstr(error.text, what))
		fail_msg("%s", error.text);
	assert_int_not_equal(schedule_window_close(&window, &memory, NULL, &error), 0);
}

static void test_hostile(void **state)
{
	struct sched_config config = {.boot.flags = SCHED_FLAG_RECORD};
	FILE *to = fopen("/dev/null", "w"), *full = fopen("/dev/full", "w");
	(void)state;
	assert_int_equal(schedule_window_init(&window, &config, NULL, to, &memory, host_memory_anonymous), 0);
	shared->records_at = SCHED_WINDOW + 1;
	expect_refused("written 262145 schedule records, but there is room for 262144");
	shared->records_at = UINT64_MAX;
	expect_refused("there is room for");
	shared->records_at = 2;
	window.area->records[1].kind = SCHED_KINDS;
	window.area->records[0] = (struct sched_record){1, SCHED_KIND_exit, SCHED_OP_NONE, 1, 0};
	expect_refused("impossible schedule record: decision 43 (kind 12");
	window.area->records[1] = (struct sched_record){1, SCHED_KIND_preempt, 600, 1, 0};
	expect_refused("impossible schedule record: decision 43 (kind 0, operation 600)");
	setvbuf(full, NULL, _IONBF, 0);
	window.to = full;
	shared->records_at = 1;
	expect_refused("cannot write the schedule: No space left on device");
	fclose(to);
	fclose(full);
}

static void test_replay(void **state)
{
	enum { RECORDS = SCHED_WINDOW + 3 };
	struct sched_config config = {.boot.policy = SCHED_replay};
	struct schedule schedule = {.count = RECORDS, .records = calloc(RECORDS, sizeof(struct sched_record))};
	(void)state;
	for (unsigned i = 0; i < RECORDS; i++)
		schedule.records[i] = (struct sched_record){i, SCHED_KIND_exit, SCHED_OP_NONE, 1, 0};
	assert_int_equal(schedule_window_init(&window, &config, &schedule, NULL, &memory, host_memory_anonymous), 0);
	assert_int_equal(shared->records_count, SCHED_WINDOW);
	assert_int_equal(window.area->records[SCHED_WINDOW - 1].thread, SCHED_WINDOW - 1);
	shared->records_at = SCHED_WINDOW;
	assert_int_equal(schedule_window_turn(&window, &memory, &error), 0);
	assert_int_equal(shared->records_count, 3);
	assert_int_equal(shared->records_at, 0);
	assert_int_equal(shared->records_before, SCHED_WINDOW);
	assert_int_equal(window.area->records[2].thread, RECORDS - 1);
	shared->records_at = 3;
	for (unsigned i = 0; i < 3; i++) { /* it may ask on, and there is nothing more */
		assert_int_equal(schedule_window_turn(&window, &memory, &error), 0);
		assert_int_equal(shared->records_count, 0);
		assert_int_equal(shared->records_before, RECORDS);
	}
	free(schedule.records);
}

static void test_counts_and_accounts(void **state)
{
	uint64_t counts[2] = {3, 5};
	struct sched_config config = {.boot = {.flags = SCHED_FLAG_ACCOUNT, .counts = 2}, .counts = counts};
	struct sched_account account;
	(void)state;
	assert_int_equal(schedule_window_init(&window, &config, NULL, NULL, &memory, host_memory_anonymous), 0);
	assert_int_equal(window.area->counts[1], 5);
	assert_int_equal(window.area->counts[2], 0);
	assert_false(schedule_window_account(&window, 0, &account));
	assert_false(schedule_window_account(&window, SCHED_ACCOUNTS, &account));
	window.area->accounts[7].thread = 9;
	memset(window.area->accounts[7].name, 0x1b, sizeof(account.name));
	assert_true(schedule_window_account(&window, 7, &account));
	assert_int_equal(account.thread, 9);
	assert_string_equal(account.name, "???????????????");
}

/* Entries that are free or empty are left out; the others are what the guest has written. */
static void test_accesses(void **state)
{
	const struct sched_config config = {.boot.flags = SCHED_FLAG_ACCESSES};
	struct sched_access *accesses;
	(void)state;
	assert_int_equal(schedule_window_init(&window, &config, NULL, NULL, &memory, host_memory_anonymous), 0);
	window.area->profile.used = UINT64_MAX;
	window.area->profile.accesses[3] = (struct sched_access){0x10, 0, 1, 7};
	window.area->profile.accesses[4] = (struct sched_access){0x20, 2, 1, 0};
	window.area->profile.accesses[5] = (struct sched_access){0x30, 2, 1, 8};
	window.area->profile.accesses[SCHED_ACCESSES - 1] = (struct sched_access){0x40, UINT32_MAX, 0, 9};
	assert_int_equal(schedule_window_accesses(&window, &accesses), 2);
	assert_int_equal(accesses[0].object, 0x30);
	assert_int_equal(accesses[1].thread, UINT32_MAX);
	free(accesses);
}

/* The guest lists as many pairs as there is room for; a larger number counts as that. */
static void test_pairs(void **state)
{
	const struct sched_config config = {.boot.flags = SCHED_FLAG_READS};
	uint64_t *pairs, signature;
	(void)state;
	assert_int_equal(schedule_window_init(&window, &config, NULL, NULL, &memory, host_memory_anonymous), 0);
	window.area->reads.signature = 77;
	window.area->reads.pairs = 2;
	window.area->reads.listed[1] = 0x100000002;
	assert_int_equal(schedule_window_pairs(&window, &pairs, &signature), 2);
	assert_int_equal(signature, 77);
	assert_int_equal(pairs[1], 0x100000002);
	free(pairs);
	window.area->reads.pairs = UINT64_MAX;
	window.area->reads.listed[SCHED_PAIRS_LISTED - 1] = 3;
	assert_int_equal(schedule_window_pairs(&window, &pairs, &signature), SCHED_PAIRS_LISTED);
	assert_int_equal(pairs[SCHED_PAIRS_LISTED - 1], 3);
	free(pairs);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* A replay is at the stop when it has come to the last record, the thread and its points and ticks, or further. */
static void test_at_stop(void **state)
{
	const struct sched_config config = {.boot.policy = SCHED_replay};
	struct sched_record records[] = {{1, SCHED_KIND_block, SCHED_OP_NONE, 4, 0},
	                                 {3, SCHED_KIND_stop, SCHED_OP_NONE, 8, 42}};
	struct schedule from = {.records = records, .count = 1};
	(void)state;
	assert_int_equal(schedule_window_init(&window, &config, &from, NULL, &memory, host_memory_anonymous), 0);
	assert_false(schedule_window_ends_by_stop(&window));
	from.count = 2;
	assert_true(schedule_window_ends_by_stop(&window));
	shared->current = 3;
	shared->records_before = 0, shared->records_at = 1;
	shared->slice_start = 1000;
	shared->points_armed = 1, shared->points_left = 0; /* all are settled */
	shared->points_since = 9;                          /* behind it, whatever the ticks */
	assert_true(schedule_window_is_at_stop(&window, shared, 1041));
	shared->points_since = 8;
	assert_true(schedule_window_is_at_stop(&window, shared, 1042));
	assert_false(schedule_window_is_at_stop(&window, shared, 1041));
	assert_true(schedule_window_is_at_stop(&window, shared, 1043));
	const struct sched_record stop = schedule_window_stop(&window, shared, 1043);
	assert_memory_equal(&stop, &records[1], sizeof(stop));
	shared->points_since = 7;
	assert_false(schedule_window_is_at_stop(&window, shared, 1042));
	shared->points_since = 8;
	assert_true(schedule_window_is_at_stop(&window, shared, 1042));
	shared->current = 2;
	assert_false(schedule_window_is_at_stop(&window, shared, 1042));
	shared->current = 3;
	shared->records_at = 0;
	assert_false(schedule_window_is_at_stop(&window, shared, 1042));
}

static const struct CMUnitTest tests[] = {TEST(test_not_needed), TEST(test_record), TEST(test_count_changes),
                                          TEST(test_stopped),    TEST(test_ended),  TEST(test_at_stop),
                                          TEST(test_hostile),    TEST(test_replay), TEST(test_counts_and_accounts),
                                          TEST(test_accesses),   TEST(test_pairs)};

TAP_MAIN(tests)
