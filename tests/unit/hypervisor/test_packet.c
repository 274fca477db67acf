/* SPDX-License-Identifier: MIT */
/* Packets of gdb's remote protocol: whole, damaged, cut and huge ones. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>

#include "debug/packet.h"

static struct packet_reader reader;

/* Feeds all bytes. Returns the last event that is one, and counts the whole packets. */
static enum packet_event feed(const char *bytes, size_t count, unsigned *whole)
{
	enum packet_event last = PACKET_NONE;
	for (size_t i = 0; i < count; i++) {
		const enum packet_event event = packet_feed(&reader, (uint8_t)bytes[i]);
		if (event != PACKET_NONE)
			last = event;
		*whole += event == PACKET_WHOLE;
	}
	return last;
}

static enum packet_event feed_text(const char *text)
{
	unsigned whole = 0;
	return feed(text, strlen(text), &whole);
}

static void test_whole(void **state)
{
	(void)state;
	assert_int_equal(feed_text("+$OK#9a"), PACKET_WHOLE);
	assert_string_equal(reader.data, "OK");
	assert_int_equal(feed_text("$#00"), PACKET_WHOLE);
	assert_int_equal(reader.bytes, 0);
	assert_int_equal(feed_text("\003"), PACKET_INTERRUPT);
	assert_int_equal(feed_text("-"), PACKET_AGAIN);
	assert_int_equal(feed_text("noise"), PACKET_NONE);
}

static void test_damaged(void **state)
{
	(void)state;
	assert_int_equal(feed_text("$OK#9b"), PACKET_DAMAGED);
	assert_int_equal(feed_text("$OK#zz"), PACKET_DAMAGED);
	assert_int_equal(feed_text("$cut$"), PACKET_DAMAGED);
	assert_int_equal(feed_text("OK#9a"), PACKET_WHOLE); /* the second begins where the first is cut */
	assert_string_equal(reader.data, "OK");
	assert_int_equal(feed_text("$}"), PACKET_NONE);
	assert_int_equal(feed_text("$"), PACKET_DAMAGED);
	assert_int_equal(feed_text("OK#9a"), PACKET_WHOLE);
}

/* A packet that is too long is damaged, and the next one is read. */
static void test_huge(void **state)
{
	(void)state;
	unsigned whole = 0;
	const size_t bytes = 3 * PACKET_MAX;
	char *huge = malloc(bytes + 1);
	memset(huge, 'a', bytes);
	huge[0] = '$';
	assert_int_equal(feed(huge, bytes, &whole), PACKET_NONE);
	assert_int_equal(feed_text("#00"), PACKET_DAMAGED);
	assert_int_equal(feed_text("$OK#9a"), PACKET_WHOLE);
	free(huge);
}

/* Any bytes survive. */
static void test_round_trip(void **state)
{
	(void)state;
	char data[PACKET_MAX], made[2 * PACKET_MAX + 4];
	unsigned whole = 0;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (char)(i * 7);
	const size_t bytes = packet_make(made, data, sizeof(data));
	assert_true(bytes <= sizeof(made));
	assert_int_equal(feed(made, bytes, &whole), PACKET_WHOLE);
	assert_int_equal(reader.bytes, sizeof(data));
	assert_memory_equal(reader.data, data, sizeof(data));
	memset(data, '#', sizeof(data));
	assert_int_equal(packet_make(made, data, sizeof(data)), sizeof(made));
}

/* Noise never passes for more than it is. */
static void test_noise(void **state)
{
	(void)state;
	unsigned seed = 1;
	for (unsigned i = 0; i < 1000000; i++) {
		seed = seed * 1103515245 + 12345;
		static const char bytes[] = "$#}+-\003a0fzm,:";
		packet_feed(&reader, (uint8_t)bytes[(seed >> 16) % sizeof(bytes)]);
		assert_true(reader.bytes <= PACKET_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),      cmocka_unit_test(test_damaged), cmocka_unit_test(test_huge),
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_noise),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("packet", tests, NULL, NULL);
}
