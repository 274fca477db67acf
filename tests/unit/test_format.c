/* SPDX-License-Identifier: MIT */
/* The kernel's formatted printing against printf(3), and its bounds. */
#include <stdio.h>
#include <string.h>

#include "kernel/lib/format.h"
#include "tests/unit/fakes/tap.h"

#define SAME_AS_LIBC(...) \
	do { \
		char ours[128], libcs[128]; \
		size_t length = format(ours, sizeof(ours), __VA_ARGS__); \
		snprintf(libcs, sizeof(libcs), __VA_ARGS__); \
		assert_string_equal(ours, libcs); \
		assert_int_equal(length, strlen(libcs)); \
	} while (0)

static void test_conversions(void **state)
{
	(void)state;
	SAME_AS_LIBC("plain");
	SAME_AS_LIBC("%d %d %d", 0, 2147483647, -2147483647 - 1);
	SAME_AS_LIBC("%ld %lu", -9223372036854775807L - 1, 18446744073709551615UL);
	SAME_AS_LIBC("%x %08x %lx %016lx", 0xabcu, 0xabcu, 0xfedcba9876543210UL, 1UL);
	SAME_AS_LIBC("%5d|%05u|%3s|%s", 42, 42u, "ab", "abcdef");
	SAME_AS_LIBC("%c%c 100%%", 'o', 'k');
	SAME_AS_LIBC("%p", (void *)0x1234);
}

static void test_never_past_the_end(void **state)
{
	(void)state;
	for (size_t size = 0; size < 12; size++) {
		char buf[16];
		memset(buf, '#', sizeof(buf));
		size_t length = format(buf, size, "%s-%d", "abcde", 12345);
		for (size_t i = size; i < sizeof(buf); i++)
			assert_int_equal(buf[i], '#');
		if (size)
			assert_int_equal(strlen(buf), length);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_conversions),
	cmocka_unit_test(test_never_past_the_end),
};

TAP_MAIN(tests)
