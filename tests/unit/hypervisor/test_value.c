/* SPDX-License-Identifier: MIT */
/* Values of the command line: what is accepted, what it means, and that nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/value.h"

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {{"0", 0},
	            {"42", 42},
	            {"007", 7},
	            {"0x10", 16},
	            {"0XfF", 255},
	            {"18446744073709551615", UINT64_MAX},
	            {"0xffffffffffffffff", UINT64_MAX}};
	static const char *const bad[] = {"",
	                                  "-1",
	                                  "+1",
	                                  " 1",
	                                  "1 ",
	                                  "0x",
	                                  "0xg",
	                                  "abc",
	                                  "1a",
	                                  "1.5",
	                                  "0x-1",
	                                  "18446744073709551616",
	                                  "0x10000000000000000"};
	uint64_t value;
	(void)state;
	for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(value_number(good[i].text, &value), 0);
		assert_int_equal(value, good[i].value);
	}
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_not_equal(value_number(bad[i], &value), 0);
}

static void test_sizes(void **state)
{
	static const char *const bad[] = {
		"", "M", "-1M", "1X", "1MM", "1.5G", " 1M", "16777216T", "99999999999999999999"};
	uint64_t bytes;
	(void)state;
	assert_int_equal(value_size("512M", &bytes), 0);
	assert_int_equal(bytes, 512UL << 20);
	assert_int_equal(value_size("2GiB", &bytes), 0);
	assert_int_equal(bytes, 2UL << 30);
	assert_int_equal(value_size("64k", &bytes), 0);
	assert_int_equal(bytes, 64UL << 10);
	assert_int_equal(value_size("4096", &bytes), 0);
	assert_int_equal(bytes, 4096);
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_not_equal(value_size(bad[i], &bytes), 0);
}

static void test_seconds(void **state)
{
	static const char *const bad[] = {"", "0", "-1", "1s", "nan", "inf", "1e99"};
	double seconds;
	(void)state;
	assert_int_equal(value_seconds("2.5", &seconds), 0);
	assert_true(seconds == 2.5);
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_not_equal(value_seconds(bad[i], &seconds), 0);
}

static void test_durations(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{"0ns", 0},         {"7ns", 7},          {"3us", 3000},          {"1.5ms", 1500000},
		{"2s", 2000000000}, {"0.000000001s", 1}, {"02.50s", 2500000000}, {"1000000000s", 1000000000000000000}};
	static const char *const bad[] = {"",
	                                  "5",
	                                  "ms",
	                                  "-1ms",
	                                  "1.ms",
	                                  ".5ms",
	                                  "5ms ",
	                                  " 5ms",
	                                  "1.5ns",
	                                  "5m",
	                                  "1e3ms",
	                                  "0x5ms",
	                                  "1..5ms",
	                                  "1.2.3s",
	                                  "1000000000.1s",
	                                  "1000000001s",
	                                  "99999999999999999999s"};
	uint64_t ns;
	(void)state;
	for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(value_duration(good[i].text, &ns), 0);
		assert_int_equal(ns, good[i].ns);
	}
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_not_equal(value_duration(bad[i], &ns), 0);
}

static void test_times(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds, ns;
	} good[] = {{"1970-01-01T00:00:00Z", 0, 0},           {"2000-01-01T00:00:00Z", 946684800, 0},
	            {"2000-02-29T12:34:56Z", 951827696, 0},   {"2026-11-20T12:00:00.25+01:30", 1795170600, 250000000},
	            {"1969-12-31T23:59:59Z", -1, 0},          {"2100-03-01t00:00:00z", 4107542400, 0},
	            {"1700-01-01T00:00:00Z", -8520336000, 0}, {"2026-11-25", 1795564800, 0}};
	static const char *const bad[] = {"",
	                                  "2000",
	                                  "2000-01-01T",
	                                  "2000-13-01T00:00:00Z",
	                                  "2001-02-29T00:00:00Z",
	                                  "2000-01-01T24:00:00Z",
	                                  "2000-01-01T00:00:00",
	                                  "2000-01-01T00:00:00Zx",
	                                  "2000-01-01T00:00:00.Z",
	                                  "9999-01-01T00:00:00Z",
	                                  "2000-04-31T00:00:00Z"};
	int64_t ns;
	(void)state;
	for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(value_time(good[i].text, &ns), 0);
		assert_int_equal(ns, good[i].seconds * 1000000000 + good[i].ns);
	}
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_not_equal(value_time(bad[i], &ns), 0);
}

static void test_nearest(void **state)
{
	static const char *const names[] = {"seed", "epoch", "memory", "timeout", NULL};
	(void)state;
	assert_string_equal(value_nearest("sed", names), "seed");
	assert_string_equal(value_nearest("memmory", names), "memory");
	assert_string_equal(value_nearest("time-out", names), "timeout");
	assert_null(value_nearest("xyzzy", names));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_sizes),   cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_times),   cmocka_unit_test(test_nearest), cmocka_unit_test(test_durations),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
