/* SPDX-License-Identifier: MIT */
/* --redact: whatever the pieces in which a stream comes, what is kept is the stream with its matches replaced. Records
 * keep their order, and nothing that may still be part of a match is kept. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/redact_queue.h"

#define STREAM 200000U
#define FLOW 3U

static struct redact_queue *queue;
static uint8_t sent[STREAM + 1], wanted[STREAM], kept[STREAM];
static uint64_t kept_bytes, kept_records, redacted_bytes;

static void keep(void *context, const struct network_record *record, const void *payload,
                 const struct record_redacted *redacted, const struct record_redacted_range *ranges)
{
	(void)context;
	assert_int_equal(record->look, kept_records++);
	for (uint32_t i = 0; redacted && i < redacted->count; i++)
		redacted_bytes += ranges[i].bytes;
	if (redacted && record->op == NETWORK_DATA && redacted->offset != REDACT_LATE)
		assert_int_equal(redacted->offset, kept_bytes);
	if (record->op != NETWORK_DATA)
		return;
	memcpy(kept + kept_bytes, payload, record->bytes);
	kept_bytes += record->bytes;
}

static void begin(void)
{
	static char first[] = "key=[a-z]+", second[] = "^line [0-9]*$", third[] = "\x01[^\x02]{3}\x02";
	char *const expressions[] = {first, second, third};
	struct redact *redact;
	struct error error;
	assert_int_equal(redact_create(&redact, expressions, 3, &error), 0);
	queue = redact_queue_create(redact, keep, NULL);
	assert_non_null(queue);
	kept_bytes = kept_records = redacted_bytes = 0;
}

static void add(uint32_t op, uint32_t flow, const void *payload, size_t bytes)
{
	static uint64_t count;
	if (!kept_records && op == NETWORK_CAME)
		count = 0;
	const struct network_record record = {.op = op, .flow = flow, .bytes = (uint32_t)bytes, .look = count++};
	redact_queue_add(queue, &record, payload);
}

/* Text of words that match, nearly match and do not, with bytes of zero. */
static void make_stream(unsigned seed)
{
	static const char *const words[] = {"key=abc ",
	                                    "key=",
	                                    "key",
	                                    "=abc\n",
	                                    "line 77\n",
	                                    "line 7",
	                                    "7\nline ",
	                                    "\x01"
	                                    "abc\x02",
	                                    "\x01"
	                                    "ab\n\x02",
	                                    " "};
	struct redact *redact;
	static char first[] = "key=[a-z]+", second[] = "^line [0-9]*$", third[] = "\x01[^\x02]{3}\x02";
	char *const expressions[] = {first, second, third};
	struct error error;
	static uint8_t mask[STREAM];
	srand(seed);
	for (size_t at = 0; at < STREAM;) {
		const char *word = words[(unsigned)rand() % (sizeof(words) / sizeof(words[0]))];
		size_t bytes = strlen(word) < STREAM - at ? strlen(word) : STREAM - at;
		memcpy(sent + at, word, bytes);
		at += bytes;
		if (at < STREAM && rand() % 4 == 0)
			sent[at++] = 0;
	}
	memset(mask, 0, sizeof(mask));
	assert_int_equal(redact_create(&redact, expressions, 3, &error), 0);
	assert_true(redact_mask(redact, sent, STREAM, mask) > 0);
	redact_destroy(redact);
	for (size_t i = 0; i < STREAM; i++)
		wanted[i] = mask[i] ? REDACT_BYTE : sent[i];
}

static void test_pieces(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 12; seed++) {
		make_stream(seed);
		begin();
		add(NETWORK_CAME, FLOW, NULL, 0);
		for (size_t at = 0; at < STREAM;) {
			size_t bytes = 1 + (unsigned)rand() % (seed % 3 ? 40000 : 20);
			bytes = bytes < STREAM - at ? bytes : STREAM - at;
			add(NETWORK_DATA, FLOW, sent + at, bytes);
			at += bytes;
			assert_true(kept_bytes + REDACT_WINDOW <= at || !kept_bytes);
		}
		add(NETWORK_ENDED, FLOW, NULL, 0);
		assert_int_equal(redact_queue_error(queue), 0);
		assert_int_equal(kept_bytes, STREAM);
		assert_memory_equal(kept, wanted, STREAM);
		redact_queue_destroy(queue);
	}
}

/* A match longer than the window is replaced as far as it was not kept before; the window's worth always. */
static void test_long(void **state)
{
	(void)state;
	begin();
	add(NETWORK_CAME, FLOW, NULL, 0);
	memcpy(sent, "key=", 4);
	memset(sent + 4, 'z', STREAM - 4);
	for (size_t at = 0; at < STREAM; at += 1000)
		add(NETWORK_DATA, FLOW, sent + at, 1000);
	redact_queue_end(queue);
	assert_int_equal(kept_bytes, STREAM);
	for (size_t i = 0; i < REDACT_WINDOW; i++)
		assert_int_equal(kept[i], REDACT_BYTE);
	redact_queue_destroy(queue);
}

/* Bytes of a connection that is over have nobody who reads them. */
static void test_late(void **state)
{
	(void)state;
	begin();
	add(NETWORK_CAME, FLOW, NULL, 0);
	add(NETWORK_DATA, FLOW, "key=", 4);
	add(NETWORK_CLOSE, FLOW, NULL, 0);
	add(NETWORK_DATA, FLOW, "secret", 6);
	redact_queue_end(queue);
	assert_int_equal(kept_records, 4);
	assert_memory_equal(kept, "key=******", 10);
	redact_queue_destroy(queue);
}

/* A quiet connection does not hold back others for ever: its own bytes are replaced, whatever they are. */
static void test_much(void **state)
{
	static uint8_t much[60000];
	(void)state;
	begin();
	add(NETWORK_CAME, FLOW, NULL, 0);
	add(NETWORK_DATA, FLOW, "plain key=ab", 12);
	for (size_t at = 0; at < REDACT_HELD_MAX; at += sizeof(much))
		add(NETWORK_DATAGRAM_CAME, 0, much, sizeof(much));
	assert_memory_equal(kept, "************", 12);
	assert_true(redact_queue_counts(queue).unseen == 12);
	add(NETWORK_DATA, FLOW, "c plain", 7); /* the end of a match that began in them */
	redact_queue_end(queue);
	assert_memory_equal(kept + 12, "* plain", 7);
	redact_queue_destroy(queue);
}

static void test_expressions(void **state)
{
	static char wrong[] = "(", empty[] = "";
	char *const bad[] = {wrong}, *const none[] = {empty};
	struct redact *redact;
	struct error error;
	char list[] = "0ab1 12 /home/key=abc/line\n77 1 key=x\nkey=a\n";
	(void)state;
	assert_int_equal(redact_create(&redact, bad, 1, &error), -EINVAL);
	assert_int_equal(redact_create(&redact, none, 1, &error), -EINVAL);
	static char key[] = "key=[a-z]+";
	char *const good[] = {key};
	assert_int_equal(redact_create(&redact, good, 1, &error), 0);
	assert_int_equal(redact_paths(redact, list, strlen(list)), 0);
	assert_string_equal(list, "0ab1 12 /home/*******/line\n77 1 *****\nkey=a\n");
	redact_destroy(redact);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_pieces), cmocka_unit_test(test_long),        cmocka_unit_test(test_late),
	cmocka_unit_test(test_much),   cmocka_unit_test(test_expressions),
};

TAP_MAIN(tests)
