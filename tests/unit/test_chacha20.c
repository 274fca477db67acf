/* SPDX-License-Identifier: MIT */
/* ChaCha20 against the vectors of RFC 8439, and the streams built on it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/lib/bug.h"
#include "kernel/rand/chacha20.h"
#include "kernel/rand/entropy.h"
#include "tests/unit/fakes/tap.h"

_Noreturn void bug(const char *file, int line, const char *assertion)
{
	fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, assertion);
	abort();
}

/* RFC 8439, 2.3.2: counter 1 and nonce 00:00:00:09:00:00:00:4a:00:00:00:00, as our 64-bit counter and nonce. */
static void test_block_of_the_rfc(void **state)
{
	static const uint8_t expected[CHACHA20_BLOCK_BYTES] = {
		0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15, 0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20, 0x71, 0xc4,
		0xc7, 0xd1, 0xf4, 0xc7, 0x33, 0xc0, 0x68, 0x03, 0x04, 0x22, 0xaa, 0x9a, 0xc3, 0xd4, 0x6c, 0x4e,
		0xd2, 0x82, 0x64, 0x46, 0x07, 0x9f, 0xaa, 0x09, 0x14, 0xc2, 0xd7, 0x05, 0xd9, 0x8b, 0x02, 0xa2,
		0xb5, 0x12, 0x9c, 0xd1, 0xde, 0x16, 0x4e, 0xb9, 0xcb, 0xd0, 0x83, 0xe8, 0xa2, 0x50, 0x3c, 0x4e,
	};
	uint32_t key[CHACHA20_KEY_WORDS];
	uint8_t bytes[32], block[CHACHA20_BLOCK_BYTES];
	(void)state;
	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)i;
	memcpy(key, bytes, sizeof(key));
	chacha20_block(key, 1 | 0x09000000UL << 32, 0x4a000000UL, block);
	assert_memory_equal(block, expected, sizeof(expected));
}

static struct entropy_process process;

static void test_pieces_make_no_difference(void **state)
{
	uint8_t whole[1000], pieces[1000];
	(void)state;
	entropy_init(&process, 42);
	entropy_draw(&process, ENTROPY_PROGRAM, whole, sizeof(whole));
	entropy_init(&process, 42);
	for (size_t at = 0, step = 1; at < sizeof(pieces); step = step % 97 + 5) {
		size_t part = sizeof(pieces) - at < step ? sizeof(pieces) - at : step;
		entropy_draw(&process, ENTROPY_PROGRAM, pieces + at, part);
		at += part;
	}
	assert_memory_equal(whole, pieces, sizeof(whole));
}

static void test_streams_are_apart(void **state)
{
	uint8_t alone[64], beside[64], other[64];
	(void)state;
	entropy_init(&process, 1);
	entropy_draw(&process, ENTROPY_PROGRAM, alone, sizeof(alone));
	entropy_init(&process, 1);
	entropy_draw(&process, ENTROPY_FAULTS, other, 33);
	entropy_draw(&process, ENTROPY_PROGRAM, beside, sizeof(beside));
	assert_memory_equal(alone, beside, sizeof(alone));
	entropy_draw(&process, ENTROPY_NETWORK, other, sizeof(other));
	assert_memory_not_equal(alone, other, sizeof(alone));
	entropy_init(&process, 1UL << 63 | 1);
	entropy_draw(&process, ENTROPY_PROGRAM, other, sizeof(other));
	assert_memory_not_equal(alone, other, sizeof(alone));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_block_of_the_rfc),
	cmocka_unit_test(test_pieces_make_no_difference),
	cmocka_unit_test(test_streams_are_apart),
};

TAP_MAIN(tests)
