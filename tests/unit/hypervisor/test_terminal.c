/* SPDX-License-Identifier: MIT */
/* What is typed on a terminal: where a key ends, waits, the record, and keys that make signals. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "run/streams/terminal.h"
#include "run/watch.h"

static uint64_t now_ns;
static int keyboard;

/* Each look at the clock takes a millisecond. */
uint64_t watch_now_ns(void)
{
	return now_ns += 1000000;
}

int watch_stopped(void)
{
	return WATCH_GOES_ON;
}

static void begin(struct terminal *terminal)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	if (keyboard)
		close(keyboard);
	keyboard = ends[1];
	terminal_init(terminal, true);
}

static void type(const char *keys)
{
	assert_int_equal(write(keyboard, keys, strlen(keys)), strlen(keys));
}

static size_t key_bytes(const char *typed)
{
	return terminal_key_bytes((const uint8_t *)typed, strlen(typed));
}

static void test_keys(void **state)
{
	(void)state;
	assert_int_equal(key_bytes("ab"), 1);
	assert_int_equal(key_bytes("\303\274b"), 2);
	assert_int_equal(key_bytes("\360\237\230\200b"), 4);
	assert_int_equal(key_bytes("\303"), 1);
	assert_int_equal(key_bytes("\033"), 1);
	assert_int_equal(key_bytes("\033xy"), 2);
	assert_int_equal(key_bytes("\033\303\274y"), 3);
	assert_int_equal(key_bytes("\033[Ax"), 3);
	assert_int_equal(key_bytes("\033[15;5~x"), 7);
	assert_int_equal(key_bytes("\033[1"), 3);
	assert_int_equal(key_bytes("\033[[Ax"), 4);
	assert_int_equal(key_bytes("\033[Mabcx"), 6);
	assert_int_equal(key_bytes("\033OPx"), 3);
	assert_int_equal(key_bytes("\033O"), 2);
	assert_int_equal(key_bytes("\033\033[Ax"), 4);
	assert_int_equal(key_bytes("\033\033"), 2);
	assert_int_equal(key_bytes("\033]11;rgb:0/0/0\033\\x"), 16);
	assert_int_equal(key_bytes("\033P1$r\007x"), 6);
	char many[200];
	memset(many, '0', sizeof(many) - 1);
	memcpy(many, "\033[", 2);
	many[sizeof(many) - 1] = 0;
	assert_int_equal(key_bytes(many), TYPED_BYTES);
}

static void test_waits(void **state)
{
	static struct terminal terminal;
	uint8_t key[TYPED_BYTES];
	(void)state;
	begin(&terminal);
	assert_int_equal(terminal_key(&terminal, key, 5000000, 0), -EAGAIN);
	assert_int_equal(terminal.record.waits, 1);
	assert_int_equal(terminal_key(&terminal, key, 0, 0), -EAGAIN); /* no wait, so none that ended */
	assert_int_equal(terminal.record.waits, 1);
	type("a\033[Ab");
	assert_int_equal(terminal_key(&terminal, key, UINT64_MAX, 0), 1);
	assert_int_equal(terminal_key(&terminal, key, UINT64_MAX, 0), 3);
	assert_memory_equal(key, "\033[A", 3);
	assert_int_equal(terminal_key(&terminal, key, 1, 0), 1);
	close(keyboard);
	keyboard = 0;
	assert_int_equal(terminal_key(&terminal, key, UINT64_MAX, 0), 0);
	assert_int_equal(terminal.record.keys, 3);
	assert_int_equal(terminal.record.bytes, 5);
	terminal_fini(&terminal);
}

static void test_signals(void **state)
{
	static struct terminal terminal;
	uint8_t key[TYPED_BYTES];
	(void)state;
	begin(&terminal);
	type("ab");
	assert_false(terminal_look(&terminal));
	type("\003c");
	assert_true(terminal_look(&terminal));
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(terminal_key(&terminal, key, 0, 7), 1);
	assert_int_equal(key[0], 3);
	assert_false(terminal_look(&terminal));
	terminal_fini(&terminal);
}

static void sum_of(const char *keys, bool at_once, uint64_t moment, uint8_t sum[DIGEST_BYTES])
{
	static struct terminal terminal;
	uint8_t key[TYPED_BYTES];
	begin(&terminal);
	if (at_once)
		type(keys);
	for (; *keys; keys++) {
		if (!at_once)
			type((const char[]){*keys, 0});
		assert_int_equal(terminal_key(&terminal, key, moment ? 0 : UINT64_MAX, moment), 1);
	}
	terminal_fini(&terminal);
	memcpy(sum, terminal.record.sum, DIGEST_BYTES);
}

/* The record has the keys, not the speed at which they are typed, but for those that come unasked. */
static void test_record(void **state)
{
	uint8_t first[DIGEST_BYTES], other[DIGEST_BYTES];
	(void)state;
	sum_of("abc", true, 0, first);
	sum_of("abc", false, 0, other);
	assert_memory_equal(first, other, DIGEST_BYTES);
	sum_of("abd", false, 0, other);
	assert_memory_not_equal(first, other, DIGEST_BYTES);
	sum_of("abc", true, 1, other);
	assert_memory_not_equal(first, other, DIGEST_BYTES);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_keys),
	cmocka_unit_test(test_waits),
	cmocka_unit_test(test_signals),
	cmocka_unit_test(test_record),
};

TAP_MAIN(tests)
