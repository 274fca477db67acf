/* SPDX-License-Identifier: MIT */
/* Names of addresses from answers of name servers: those of one question are taken under the name that was asked for,
 * and what is damaged or cut off is left out. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/record_names.h"

#define HEAD(answers) "\x12\x34\x81\x80\0\1\0" answers "\0\0\0\0"
#define QUESTION "\3www\7example\3org\0\0\1\0\1"
/* The name that was asked for is another one's, by pointers into the message. */
#define ALIAS "\xc0\x0c\0\5\0\1\0\0\0\x3c\0\7\4host\xc0\x10"
#define HOST_V4 "\xc0\x2d\0\1\0\1\0\0\0\x3c\0\4\xc0\0\2\7"
#define HOST_V6 "\4host\xc0\x10\0\x1c\0\1\0\0\0\x3c\0\x10\x20\1\xd\xb8\0\0\0\0\0\0\0\0\0\0\0\1"
#define TEXT_OF_A "\xc0\x2d\0\1\0\1\0\0\0\x3c\0\5hello"
#define BYTES(text) (const uint8_t *)(text), sizeof(text) - 1

static void test_answers(void **state)
{
	static const char message[] = HEAD("\4") QUESTION ALIAS HOST_V4 TEXT_OF_A HOST_V6;
	struct record_names names = {0};
	(void)state;
	assert_int_equal(record_names_take(&names, BYTES(message)), 0);
	assert_int_equal(names.count, 2);
	assert_string_equal(names.list[0].name, "www.example.org");
	assert_int_equal(names.list[0].address_bytes, 4);
	assert_memory_equal(names.list[0].address, "\xc0\0\2\7", 4);
	assert_string_equal(names.list[1].name, "www.example.org");
	assert_int_equal(names.list[1].address_bytes, 16);
	record_names_take(&names, BYTES(message)); /* each pair is kept once */
	assert_int_equal(names.count, 2);
	record_names_fini(&names);
}

static size_t count_of(const void *message, size_t bytes)
{
	struct record_names names = {0};
	uint8_t *copy = malloc(bytes + 1); /* what is read behind it is noticed */
	memcpy(copy + 1, message, bytes);
	assert_int_equal(record_names_take(&names, copy + 1, bytes), 0);
	free(copy);
	size_t count = names.count;
	record_names_fini(&names);
	return count;
}

static void test_damaged(void **state)
{
	static const char message[] = HEAD("\2") QUESTION ALIAS HOST_V4;
	(void)state;
	assert_int_equal(count_of(BYTES(message)), 1);
	for (size_t bytes = 0; bytes < sizeof(message) - 1; bytes++)
		assert_int_equal(count_of(message, bytes), 0);
	/* A question, an error, two questions, a name that points to itself, one that is no host's. */
	assert_int_equal(count_of(BYTES("\x12\x34\1\0\0\1\0\1\0\0\0\0" QUESTION HOST_V4)), 0);
	assert_int_equal(count_of(BYTES("\x12\x34\x81\x83\0\1\0\1\0\0\0\0" QUESTION HOST_V4)), 0);
	assert_int_equal(count_of(BYTES("\x12\x34\x81\x80\0\2\0\1\0\0\0\0" QUESTION HOST_V4)), 0);
	assert_int_equal(count_of(BYTES(HEAD("\1") "\xc0\x0c\0\1\0\1" HOST_V4)), 0);
	assert_int_equal(count_of(BYTES(HEAD("\1") "\3w\x1bw\0\0\1\0\1" HOST_V4)), 0);
	assert_int_equal(count_of(BYTES(HEAD("\1") "\0\0\1\0\1" HOST_V4)), 0);
}

static void test_most(void **state)
{
	static uint8_t message[] = HEAD("\1") QUESTION "\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\12\0\0\0";
	struct record_names names = {0};
	(void)state;
	for (unsigned i = 0; i < RECORD_NAMES_MAX + 100; i++) {
		message[sizeof(message) - 2] = (uint8_t)i;
		message[sizeof(message) - 3] = (uint8_t)(i >> 8);
		assert_int_equal(record_names_take(&names, message, sizeof(message) - 1), 0);
	}
	assert_int_equal(names.count, RECORD_NAMES_MAX);
	record_names_fini(&names);
}

static void test_block(void **state)
{
	static const char message[] = HEAD("\3") QUESTION ALIAS HOST_V4 HOST_V6;
	static const char block[] = "\4\0\0\0\x4c\0\0\0" /* the type, the length */
				    "\1\0\x14\0\xc0\0\2\7www.example.org\0"
				    "\2\0\x20\0\x20\1\xd\xb8\0\0\0\0\0\0\0\0\0\0\0\1www.example.org\0"
				    "\0\0\0\0\x4c\0\0";
	struct record_names names = {0};
	struct record_file file;
	char got[sizeof(block) + 1];
	int fd = memfd_create("capture", 0);
	(void)state;
	record_file_open(&file, dup(fd));
	record_names_put(&names, &file);
	assert_int_equal(file.bytes, 0); /* without names there is no block */
	record_names_take(&names, BYTES(message));
	record_names_put(&names, &file);
	record_names_put(&names, &file); /* nothing is new */
	record_file_close(&file);
	assert_int_equal(read(fd, got, sizeof(got)), sizeof(block));
	assert_memory_equal(got, block, sizeof(block));
	record_names_fini(&names);
	close(fd);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_answers),
	cmocka_unit_test(test_damaged),
	cmocka_unit_test(test_most),
	cmocka_unit_test(test_block),
};

TAP_MAIN(tests)
