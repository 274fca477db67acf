/* SPDX-License-Identifier: MIT */
/* The log of events as a file of an image: what is written is read, long logs are thinned, and false ones are refused.
 */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "run/event_log.h"

static struct event_log written, other;
static int fd;

static int set_up(void **state)
{
	(void)state;
	fd = memfd_create("events", 0);
	return fd < 0 || event_log_init(&written, host_memory_anonymous) ||
	                       event_log_init(&other, host_memory_anonymous)
	               ? -1
	               : 0;
}

static int tear_down(void **state)
{
	(void)state;
	close(fd);
	event_log_fini(&written);
	event_log_fini(&other);
	return 0;
}

/* A log of so many records, whose event n has the result 3 n. */
static struct event_state make(uint64_t records, uint64_t stride)
{
	for (uint64_t i = 0; i < records; i++)
		written.records[i] = (struct event_record){(int64_t)(3 * (i + 1) * stride), (i << 16) + 1};
	return (struct event_state){.returned = records * stride + stride - 1, .records = records, .stride = stride};
}

/* Writes the log with at most `max` records and reads it into the other one. Returns the bytes of the file. */
static size_t write_and_read(const struct event_state *made, uint64_t max, struct event_state *read)
{
	static uint8_t file[1 << 20];
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(event_log_write(&written, made, max, fd), 0);
	ssize_t bytes = pread(fd, file, sizeof(file), 0);
	assert_int_equal(event_log_read(&other, file, (size_t)bytes, read), 0);
	assert_int_equal(event_log_compare(&other, read, 0), 0);
	return (size_t)bytes;
}

static void test_file(void **state)
{
	static const struct {
		uint64_t records, stride, max, kept, kept_stride;
	} cases[] = {
		{0, 0, 10, 0, 1},       {1, 1, 10, 1, 1},       {10, 1, 10, 10, 1},       {11, 1, 10, 5, 2},
		{1000, 4, 999, 500, 8}, {129, 1, 1000, 129, 1}, {5000, 1, 1250, 1250, 4}, {5000, 2, 1249, 625, 16},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct event_state made = make(cases[i].records, cases[i].stride), read;
		size_t bytes = write_and_read(&made, cases[i].max, &read);
		assert_int_equal(bytes, sizeof(struct event_file_head) + cases[i].kept * sizeof(struct event_record));
		assert_int_equal(read.returned, made.returned);
		assert_int_equal(read.records, cases[i].kept);
		assert_int_equal(read.stride, cases[i].kept_stride);
		for (uint64_t number = 1; number <= made.returned + 1; number++) {
			struct event_record record;
			bool has = number % read.stride == 0 && number / read.stride <= read.records;
			assert_int_equal(event_log_find(&other, number, &record), has);
			if (has)
				assert_int_equal(record.result, 3 * number);
		}
	}
}

static void test_false(void **state)
{
	struct {
		struct event_file_head head;
		struct event_record records[2];
	} file = {.head = {EVENT_FILE_MAGIC, 5, 2, 2}}, wrong;
	struct event_state read;
	(void)state;
	assert_int_equal(event_log_read(&other, &file, sizeof(file), &read), 0);
	for (size_t bytes = 0; bytes < sizeof(file); bytes++)
		assert_int_equal(event_log_read(&other, &file, bytes, &read), -EPROTO);
#define EXPECT(change) \
	do { \
		wrong = file; \
		change; \
		assert_int_equal(event_log_read(&other, &wrong, sizeof(wrong), &read), -EPROTO); \
	} while (0)
	EXPECT(wrong.head.magic[7] = '2');
	EXPECT(wrong.head.returned = 3);
	EXPECT(wrong.head.stride = 0);
	EXPECT(wrong.head.records = 1);
	EXPECT(wrong.head.records = 3);
	EXPECT(wrong.head.records = (1UL << 60) + 2; wrong.head.returned = UINT64_MAX; wrong.head.stride = 1);
	/* a stride that is no power of two */
	file.head.stride = 3, file.head.returned = 8;
	assert_int_equal(event_log_read(&other, &file, sizeof(file), &read), 0);
	assert_int_equal(event_log_compare(&other, &read, 0), -EPROTO);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {TEST(test_file), TEST(test_false)};

TAP_MAIN(tests)
