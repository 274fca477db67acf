/* SPDX-License-Identifier: MIT */
/* Schedule files: what is read is what was written, and what cannot be read is named with its line.
 *
 * EREMITE_SEED and EREMITE_STEPS choose another search, or a longer one. */
#include "abi/sched_op.h"
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sched/schedule.h"

static uint64_t random_state = 1;

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 0) : otherwise;
}

/* xorshift64* */
static uint64_t next_random(uint64_t below)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545f4914f6cdd1dUL % below;
}

static int read_text(struct schedule *schedule, const char *text, size_t bytes, struct error *error)
{
	FILE *from = fmemopen((void *)(uintptr_t)text, bytes, "r");
	assert_non_null(from);
	int result = schedule_read(schedule, from, "file", error);
	fclose(from);
	return result;
}

static void test_what_is_read(void **state)
{
	static const char text[] = "eremite-schedule 1\n"
				   "# by hand\n"
				   "\n"
				   "1 12 preempt write\n"
				   "   # indented\n"
				   "\t2  0\tblock pthread_mutex_lock \n"
				   "2 3 tick 400000000\n"
				   "3 1 yield sched_yield\n"
				   "1 0 wake 3\n"
				   "1 0 timeout 1\n"
				   "1 2 jump futex\n"
				   "1 2 jump\n"
				   "1 2 woken 3\n"
				   "4294967295 9223372036854775807 preempt\n"
				   "1 5 exit\n"
				   "1 5 end";
	static const struct sched_record wanted[] = {
		{1, SCHED_KIND_preempt, 1, 12, 0},
		{2, SCHED_KIND_block, SCHED_OP_pthread_mutex_lock, 0, 0},
		{2, SCHED_KIND_tick, SCHED_OP_NONE, 3, 400000000},
		{3, SCHED_KIND_yield, 24, 1, 0},
		{1, SCHED_KIND_wake, SCHED_OP_NONE, 0, 3},
		{1, SCHED_KIND_timeout, SCHED_OP_NONE, 0, 1},
		{1, SCHED_KIND_jump, 202, 2, 0},
		{1, SCHED_KIND_jump, SCHED_OP_NONE, 2, 0},
		{1, SCHED_KIND_woken, SCHED_OP_NONE, 2, 3},
		{UINT32_MAX, SCHED_KIND_preempt, SCHED_OP_NONE, INT64_MAX, 0},
		{1, SCHED_KIND_exit, SCHED_OP_NONE, 5, 0},
		{1, SCHED_KIND_end, SCHED_OP_NONE, 5, 0},
	};
	static const uint32_t lines[] = {4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
	struct schedule schedule;
	struct error error = {0};
	(void)state;
	int result = read_text(&schedule, text, sizeof(text) - 1, &error);
	assert_string_equal(error.text, "");
	assert_int_equal(result, 0);
	assert_int_equal(schedule.count, sizeof(wanted) / sizeof(wanted[0]));
	for (unsigned i = 0; i < schedule.count; i++) {
		assert_memory_equal(&schedule.records[i], &wanted[i], sizeof(wanted[i]));
		assert_int_equal(schedule_line(&schedule, i), lines[i]);
		assert_true(schedule_is_valid(&wanted[i]));
	}
	assert_int_equal(schedule_line(&schedule, schedule.count), 16);
	assert_int_equal(schedule_line(&schedule, UINT64_MAX), 16);
	schedule_free(&schedule);
}

static void test_what_is_refused(void **state)
{
#define HEAD "eremite-schedule 1\n"
	static const struct {
		const char *text, *error;
	} bad[] = {
		{"\n", "file:1: this is not a schedule: expected 'eremite-schedule 1'"},
		{"1 2 end\n", "file:1: this is not a schedule"},
		{"eremite-schedule\n", "file:1: this is not a schedule"},
		{"eremite-schedule 1 1\n", "file:1: expected 'eremite-schedule 1 digest 1'"},
		{"eremite-schedule 1 digest 1 1\n", "file:1: expected 'eremite-schedule 1 digest 1'"},
		{"eremite-schedule 1 digest\n", "file:1: expected 'eremite-schedule 1 digest 1'"},
		{"eremite-schedule 1 digest 2\n",
	         "file:1: this schedule is for digests of definition 2, and this eremite "},
		{"eremite-schedule 1 digest 0\n",
	         "file:1: this schedule is for digests of definition 0, and this eremite "},
		{"eremite-schedule 3\n", "file:1: this schedule has version 3, and this eremite reads 1 and 2"},
		{HEAD "x 1 end\n", "file:2: 'x' is not a thread number: expected THREAD POINTS KIND [OP] [DETAIL]"},
		{HEAD "-1 1 end\n", "file:2: '-1' is not a thread number"},
		{HEAD "4294967296 1 end\n", "file:2: '4294967296' is not a thread number"},
		{HEAD "0 1 end\n", "file:2: '0' is not a thread number"},
		{HEAD "1 1 wake 0\n", "file:2: '0' is not a thread's number"},
		{HEAD "1\n", "file:2: expected THREAD POINTS KIND"},
		{HEAD "1 1\n", "file:2: expected THREAD POINTS KIND"},
		{HEAD "1 1x end\n", "file:2: '1x' is not a number of decision points"},
		{HEAD "1 0x1 end\n", "file:2: '0x1' is not a number of decision points"},
		{HEAD "1 9223372036854775808 end\n", "is not a number of decision points"},
		{HEAD "1 99999999999999999999999 end\n", "is not a number of decision points"},
		{HEAD "#\n1 1 premept write\n",
	         "file:3: there is no kind of decision 'premept'; did you mean preempt?"},
		{HEAD "1 1 preempt wirte\n", "file:2: there is no operation 'wirte'; did you mean write?"},
		{HEAD "1 1 preempt 1\n", "file:2: there is no operation '1'"},
		{HEAD "1 1 preempt write 3\n", "file:2: '3' is too much: after preempt comes an operation alone"},
		{HEAD "1 1 exit exit\n", "file:2: 'exit' is too much: after exit comes nothing"},
		{HEAD "1 1 tick\n", "file:2: tick needs a last word, the number of ticks"},
		{HEAD "1 1 tick -3\n", "file:2: '-3' is not the number of ticks"},
		{HEAD "1 1 tick 9223372036854775808\n", "is not the number of ticks"},
		{HEAD "1 1 wake\n", "file:2: wake needs a last word, a thread's number"},
		{HEAD "1 1 wake futex 4\n", "file:2: 'futex' is not a thread's number"},
		{HEAD "1 1 timeout 2\n", "file:2: '2' is not 0 for the wake-up or 1 for the timeout"},
		{HEAD "1 1 signal 4 5 6 7 8 9\n", "file:2: '5' is too much: after signal comes a thread's number"},
		{HEAD "1 1 jump 5\n", "file:2: there is no operation '5'"},
		{HEAD "1 1 woken\n", "file:2: woken needs a last word, the number of threads woken"},
		{HEAD "1 1 woken futex\n", "file:2: 'futex' is not the number of threads woken"},
		{HEAD "1 1 end\r\n", "file:2: the line ends in a carriage return: end lines in a newline alone"},
		{"eremite-schedule 1\r\n1 1 end\r\n", "file:1: the line ends in a carriage return"},
		{HEAD "1 1 \x1b[2Jend\n", "file:2: there is no kind of decision '?[2Jend'"},
		{HEAD "1 1 end\n# fine\n2 1 exit\n", "file:4: there is a decision after the end, line 2"},
	};
	struct schedule schedule;
	struct error error;
	(void)state;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		int result = read_text(&schedule, bad[i].text, strlen(bad[i].text), &error);
		if (result != -EINVAL || !strstr(error.text, bad[i].error))
			fail_msg("%s: %d, %s", bad[i].text, result, error.text);
		schedule_free(&schedule);
	}
}

/* Beginnings that a long line can have, and whether it may have so many characters. */
static void test_long_lines(void **state)
{
	static const struct {
		const char *start;
		char filling;
		int result;
	} lines[] = {{"# ", 'x', 0},
	             {"   # ", ' ', 0},
	             {"1 1 end", ' ', -EINVAL},
	             {"", ' ', -EINVAL},
	             {"1 1 preempt ", 'x', -EINVAL},
	             {"1 ", '0', -EINVAL}};
	static char text[100000];
	struct schedule schedule;
	struct error error;
	(void)state;
	for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		size_t used = (size_t)sprintf(text, HEAD "%s", lines[i].start);
		memset(text + used, lines[i].filling, sizeof(text) - used);
		memcpy(text + sizeof(text) - 9, "\n1 1 end\n", 9);
		int result = read_text(&schedule, text, sizeof(text), &error);
		assert_int_equal(result, lines[i].result);
		if (!result)
			assert_int_equal(schedule.count, 1);
		else
			assert_non_null(strstr(error.text, "file:2: "));
		schedule_free(&schedule);
	}
	memcpy(text, HEAD "1 1 end\n", sizeof(HEAD) + 7);
	text[sizeof(HEAD) + 1] = 0;
	assert_int_equal(read_text(&schedule, text, sizeof(text), &error), -EINVAL);
	assert_non_null(strstr(error.text, "NUL"));
	schedule_free(&schedule);
}

/* A record that may stand in a file. */
static struct sched_record random_record(void)
{
	struct sched_record record;
	do {
		record = (struct sched_record){
			.thread = (uint32_t)next_random(5),
			.kind = (uint16_t)next_random(SCHED_KINDS),
			.op = (uint16_t)(next_random(3) ? next_random(SCHED_OP_END + 3) : SCHED_OP_NONE),
			.points = next_random(2) ? next_random(100) : next_random(1UL << 63),
			.detail = next_random(2) ? next_random(2) : next_random(1UL << 40),
		};
	} while (!schedule_is_valid(&record) || record.kind == SCHED_KIND_end || record.kind == SCHED_KIND_stop);
	return record;
}

static void test_round_trip(void **state)
{
	enum { RECORDS = 3000 };
	static const struct code_points points = {.atomics = true, .stores = 100, .seed = 7, .own = true};
	static struct sched_record records[RECORDS];
	struct schedule schedule;
	struct error error;
	char *text, *again;
	size_t bytes, again_bytes;
	(void)state;
	random_state = number("EREMITE_SEED", 1);
	FILE *to = open_memstream(&text, &bytes);
	schedule_print_header(to, &points);
	for (unsigned i = 0; i < RECORDS; i++) {
		records[i] = random_record();
		long start = ftell(to);
		schedule_print_record(to, &records[i]);
		assert_in_range(ftell(to) - start, 1, SCHEDULE_LINE_MAX - 1);
	}
	fclose(to);
	if (read_text(&schedule, text, bytes, &error))
		fail_msg("%s", error.text);
	assert_int_equal(schedule.count, RECORDS);
	assert_memory_equal(schedule.records, records, sizeof(records));
	to = open_memstream(&again, &again_bytes);
	schedule_print_header(to, &schedule.points);
	for (unsigned i = 0; i < RECORDS; i++)
		schedule_print_record(to, &schedule.records[i]);
	fclose(to);
	assert_int_equal(bytes, again_bytes);
	assert_memory_equal(text, again, bytes);
	schedule_free(&schedule);
	free(text);
	free(again);
}

/* Files that were damaged: read, or refused with one printable line; and what is read is valid. */
static void test_damage(void **state)
{
	static const char pieces[] = "0123456789 \n\n\t#-abcdefghijklmnopqrstuvwxyz_\r\x1b\xff";
	static const struct code_points points = {.atomics = true, .stores = 65536, .seed = UINT64_MAX};
	uint64_t steps = number("EREMITE_STEPS", 3000);
	struct error error;
	char *text;
	size_t bytes;
	(void)state;
	random_state = number("EREMITE_SEED", 1) + 77;
	for (uint64_t step = 0; step < steps; step++) {
		struct schedule schedule;
		FILE *to = open_memstream(&text, &bytes);
		schedule_print_header(to, &points);
		for (unsigned i = 0; i < 8; i++) {
			struct sched_record record = random_record();
			schedule_print_record(to, &record);
		}
		fclose(to);
		for (uint64_t i = next_random(4); i > 0; i--)
			text[next_random(bytes)] = pieces[next_random(sizeof(pieces))];
		bytes -= next_random(bytes);
		error.text[0] = 0;
		int result = read_text(&schedule, text, bytes, &error);
		for (uint64_t i = 0; !result && i < schedule.count; i++)
			assert_true(schedule_is_valid(&schedule.records[i]));
		for (const char *c = error.text; *c; c++)
			assert_in_range(*c, ' ', '~');
		assert_int_equal(result != 0, error.text[0] != 0);
		schedule_free(&schedule);
		free(text);
	}
}

static void test_what_is_not_valid(void **state)
{
	static const struct sched_record bad[] = {
		{1, SCHED_KINDS, SCHED_OP_NONE, 1, 0},
		{1, UINT16_MAX, SCHED_OP_NONE, 1, 0},
		{1, SCHED_KIND_preempt, 499, 1, 0},
		{1, SCHED_KIND_preempt, SCHED_OP_END, 1, 0},
		{1, SCHED_KIND_preempt, UINT16_MAX, 1, 0},
		{1, SCHED_KIND_preempt, 1, 1UL << 63, 0},
		{1, SCHED_KIND_preempt, 1, 1, 1},
		{1, SCHED_KIND_tick, 1, 1, 1},
		{1, SCHED_KIND_tick, SCHED_OP_NONE, 1, 1UL << 63},
		{1, SCHED_KIND_timeout, SCHED_OP_NONE, 1, 2},
		{1, SCHED_KIND_wake, SCHED_OP_NONE, 1, 1UL << 32},
		{1, SCHED_KIND_wake, SCHED_OP_NONE, 1, 0},
		{1, SCHED_KIND_jump, 1, 1, 1},
		{1, SCHED_KIND_woken, 1, 1, 1},
		{1, SCHED_KIND_woken, SCHED_OP_NONE, 1, 1UL << 63},
		{1, SCHED_KIND_end, 1, 1, 0},
		{0, SCHED_KIND_end, SCHED_OP_NONE, 1, 0},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(schedule_is_valid(&bad[i]));
	assert_string_equal(schedule_op_name(SCHED_OP_NONE), "?");
	assert_string_equal(schedule_op_name(UINT32_MAX), "?");
	assert_string_equal(schedule_kind_name(SCHED_KINDS), "?");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_what_is_read), cmocka_unit_test(test_what_is_refused),
	cmocka_unit_test(test_long_lines),   cmocka_unit_test(test_round_trip),
	cmocka_unit_test(test_damage),       cmocka_unit_test(test_what_is_not_valid),
};

TAP_MAIN(tests)
