/* SPDX-License-Identifier: MIT */
/* A recording is written by a thread of its own: what the log refers to is in the capture before, adding does not wait
 * for the disk, and an error is kept. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "record/record_log.h"
#include "record/recording.h"
#include "tests/unit/fakes/folder.h"

#define FLOW 7U
#define PIECE 60000U

static char folder[64], dir[96];
static struct recording *recording;
static int fds[2]; /* the log, the capture */
static bool stands, fails;
static sem_t writes, goes_on;

ssize_t __real_pwritev(int fd, const struct iovec *parts, int count, off_t at);
ssize_t __wrap_pwritev(int fd, const struct iovec *parts, int count, off_t at);

static off_t size_of(int fd)
{
	struct stat st;
	assert_int_equal(fstat(fd, &st), 0);
	return st.st_size;
}

/* What a log written so far refers to is in the capture. */
static void check_references(const uint8_t *data, size_t bytes)
{
	struct record_block block;
	for (size_t at = 0; at + sizeof(block) + sizeof(struct record_network) <= bytes;
	     at += sizeof(block) + block.bytes) {
		struct record_network entry;
		memcpy(&block, data + at, sizeof(block));
		memcpy(&entry, data + at + sizeof(block), sizeof(entry));
		if (block.kind == RECORD_NETWORK)
			assert_true(entry.payload_at + entry.record.bytes <= (uint64_t)size_of(fds[1]));
	}
}

ssize_t __wrap_pwritev(int fd, const struct iovec *parts, int count, off_t at)
{
	if (stands) {
		sem_post(&writes);
		sem_wait(&goes_on);
	}
	if (fails && fd == fds[1]) {
		errno = ENOSPC;
		return -1;
	}
	if (fd == fds[0] && at) {
		assert_int_equal(count, 1);
		check_references(parts->iov_base, parts->iov_len);
	}
	return __real_pwritev(fd, parts, count, at);
}

static void begin(bool has_thread)
{
	static char option[] = "--seed=1", end[] = "--", program[] = "program";
	struct error error;
	char *options[] = {option, end, program};
	static unsigned number;
	snprintf(dir, sizeof(dir), "%s/%u", folder, number++);
	fds[0] = fds[1] = -1;
	stands = fails = false;
	assert_int_equal(recording_create(&recording, dir, options, 3, 0, &error), 0);
	recording_descriptors(recording, fds);
	if (has_thread)
		assert_int_equal(recording_start(recording), 0);
}

static uint8_t byte_of(unsigned record, uint32_t at)
{
	return (uint8_t)(record * 31 + at * 7 + at / 256);
}

static void add_data(unsigned number, uint32_t bytes)
{
	static uint8_t payload[NETWORK_STREAM_MAX];
	const struct network_record record = {
		.op = number ? NETWORK_DATA : NETWORK_CAME, .flow = FLOW, .bytes = bytes, .look = number};
	for (uint32_t i = 0; i < bytes; i++)
		payload[i] = byte_of(number, i);
	recording_network(recording, &record, payload);
}

/* The payload that record `number` has in test_all. */
static uint32_t bytes_of(unsigned number)
{
	return number ? number * 7919 % PIECE : 0;
}

static void check_all(unsigned count)
{
	static uint8_t payload[NETWORK_PAYLOAD_MAX];
	struct replay replay;
	struct replay_block block;
	struct error error;
	assert_int_equal(replay_open(&replay, dir, &error), 0);
	for (unsigned i = 0; i < count; i++) {
		struct record_network entry;
		assert_int_equal(replay_next(&replay, &block), 1);
		assert_int_equal(block.kind, RECORD_NETWORK);
		memcpy(&entry, block.data, sizeof(entry));
		assert_int_equal(entry.record.look, i);
		assert_int_equal(entry.record.bytes, bytes_of(i));
		assert_int_equal(replay_payload(&replay, &entry, payload), 0);
		for (uint32_t at = 0; at < entry.record.bytes; at++)
			assert_int_equal(payload[at], byte_of(i, at));
	}
	assert_int_equal(replay_next(&replay, &block), 1);
	assert_int_equal(block.kind, RECORD_END);
	assert_int_equal(replay_next(&replay, &block), 0);
	replay_close(&replay);
}

/* Closing gives back what was reserved for more. */
static void check_size(void)
{
	struct stat st;
	char path[128];
	snprintf(path, sizeof(path), "%s/%s", dir, RECORDING_CAPTURE);
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_size > 8 << 20);
	assert_true(st.st_blocks * 512 < st.st_size + (1 << 20));
}

/* Several times what waits at most. */
static void test_all(void **state)
{
	(void)state;
	for (unsigned has_thread = 0; has_thread < 2; has_thread++) {
		begin(has_thread);
		for (unsigned i = 0; i < 500; i++)
			add_data(i, bytes_of(i));
		assert_int_equal(recording_close(recording, NULL, 0, "end exit 0\n"), 0);
		check_all(500);
		check_size();
	}
}

static void test_adding_does_not_wait(void **state)
{
	(void)state;
	begin(true);
	stands = true;
	add_data(0, 0);
	sem_wait(&writes); /* the thread stands in a write */
	for (unsigned i = 1; i < 50; i++)
		add_data(i, bytes_of(i));
	stands = false;
	sem_post(&goes_on);
	assert_int_equal(recording_close(recording, NULL, 0, "end exit 0\n"), 0);
	check_all(50);
}

static void test_error(void **state)
{
	(void)state;
	begin(true);
	off_t log = size_of(fds[0]);
	fails = true;
	for (unsigned i = 0; i < 500; i++)
		add_data(i, bytes_of(i));
	assert_int_equal(recording_stop(recording), -ENOSPC);
	assert_int_equal(recording_error(recording), -ENOSPC);
	assert_int_equal(size_of(fds[0]), log); /* nothing that refers to what is missing */
	fails = false;
	assert_int_equal(recording_close(recording, "file\n", 5, "end exit 0\n"), -ENOSPC);
}

static void test_input(void **state)
{
	(void)state;
	for (unsigned has_thread = 0; has_thread < 2; has_thread++) {
		struct replay replay;
		struct replay_block block;
		struct error error;
		begin(has_thread);
		recording_network(recording, &(struct network_record){.op = NETWORK_INPUT, .bytes = 5}, "typed");
		recording_flush(recording);
		assert_int_equal(replay_open(&replay, dir, &error), 0); /* as after kill -9 */
		assert_true(replay_find(&replay, RECORD_INPUT, &block));
		assert_int_equal(block.bytes, sizeof(struct network_record) + 5);
		assert_memory_equal(block.data + sizeof(struct network_record), "typed", 5);
		replay_close(&replay);
		assert_int_equal(recording_close(recording, NULL, 0, NULL), 0);
	}
}

static int make_folder(void **state)
{
	(void)state;
	sem_init(&writes, 0, 0);
	sem_init(&goes_on, 0, 0);
	return !folder_make(folder);
}

static int remove_folder(void **state)
{
	(void)state;
	return !folder_remove(folder);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(test_all, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(test_adding_does_not_wait, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(test_error, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(test_input, make_folder, remove_folder),
};

TAP_MAIN(tests)
