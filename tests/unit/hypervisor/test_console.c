/* SPDX-License-Identifier: MIT */
/* The console ring: what a guest puts into it comes out of the right descriptor, in order, hashed or not; what breaks
 * its rules is told; a reader that has gone away or stands still ends nothing but its own output. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/layout.h"
#include "abi/ring.h"
#include "abi/tries.h"
#include "run/streams/console.h"

#define MEMORY_BYTES 0x1000000UL
#define STREAM_BYTES (4UL * CONSOLE_RING_BYTES)

struct fixture {
	struct guest_memory memory;
	struct console console;
	struct console_ring *ring;
	uint8_t *data;
};

static void begin(struct fixture *f, bool hashing)
{
	assert_int_equal(guest_memory_init(&f->memory, MEMORY_BYTES), 0);
	console_init(&f->console, &f->memory, true, hashing);
	f->ring = guest_memory_at(&f->memory, gpa(LAYOUT_CONSOLE_RING), sizeof(*f->ring));
	f->data = guest_memory_at(&f->memory, gpa(LAYOUT_CONSOLE_RING + PAGE_SIZE), CONSOLE_RING_BYTES);
	assert_non_null(f->ring);
	assert_non_null(f->data);
}

static void end(struct fixture *f)
{
	console_fini(&f->console);
	guest_memory_fini(&f->memory);
}

static void put_bytes(struct fixture *f, uint64_t at, const void *from, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		f->data[(at + i) % CONSOLE_RING_BYTES] = ((const uint8_t *)from)[i];
}

/* As the guest does; false when there is no room. */
static bool put_record(struct fixture *f, int stream, const void *from, uint32_t bytes)
{
	uint64_t head = f->ring->head, next = head + 4 + ((bytes + 3UL) & ~3UL);
	uint32_t word = CONSOLE_RECORD(stream, bytes);
	if (next - f->ring->tail > CONSOLE_RING_BYTES)
		return false;
	put_bytes(f, head, &word, sizeof(word));
	put_bytes(f, head + 4, from, bytes);
	f->ring->head = next;
	return true;
}

static int scratch_file(void)
{
	char name[] = "/tmp/eremite-console-XXXXXX";
	int fd = mkstemp(name);
	assert_true(fd >= 0);
	unlink(name);
	return fd;
}

static void expect_file(int fd, const uint8_t *wanted, size_t bytes)
{
	uint8_t *got = malloc(bytes + 1);
	assert_non_null(got);
	assert_int_equal(pread(fd, got, bytes + 1, 0), bytes);
	assert_memory_equal(got, wanted, bytes);
	free(got);
	close(fd);
}

static void expect_sum(struct digest_sum sum, const uint8_t *from, size_t bytes)
{
	struct digest_sum other;
	uint8_t got[DIGEST_BYTES], wanted[DIGEST_BYTES];
	digest_begin(&other);
	digest_add(&other, from, bytes);
	digest_end(&other, wanted);
	digest_end(&sum, got);
	assert_memory_equal(got, wanted, DIGEST_BYTES);
}

/* Records of every length, the ring's end anywhere in them, both streams mixed, drained at random times. */
static void mixed_records(bool hashing)
{
	struct fixture f;
	uint8_t *wanted[3] = {NULL, malloc(STREAM_BYTES), malloc(STREAM_BYTES)};
	size_t used[3] = {0};
	begin(&f, hashing);
	for (int stream = 1; stream <= 2; stream++)
		f.console.fds[stream] = scratch_file();
	srandom(7);
	for (int i = 0; i < 2000; i++) {
		int stream = 1 + (random() % 8 == 0);
		uint32_t bytes = (uint32_t)(random() % (i % 50 ? 300 : 0x8000));
		uint8_t *from = wanted[stream] + used[stream];
		assert_true(used[stream] + bytes <= STREAM_BYTES);
		for (uint32_t n = 0; n < bytes; n++)
			from[n] = (uint8_t)random();
		if (!put_record(&f, stream, from, bytes)) {
			assert_true(console_drain(&f.console) > 0);
			assert_true(put_record(&f, stream, from, bytes));
		}
		used[stream] += bytes;
		if (random() % 100 == 0)
			assert_true(console_drain(&f.console) > 0);
	}
	assert_true(used[1] > 2 * CONSOLE_RING_BYTES);
	assert_true(console_drain(&f.console) >= 0);
	assert_int_equal(f.ring->tail, f.ring->head);
	for (int stream = 1; stream <= 2; stream++) {
		if (hashing)
			expect_sum(f.console.sums[stream], wanted[stream], used[stream]);
		expect_file(f.console.fds[stream], wanted[stream], used[stream]);
		free(wanted[stream]);
	}
	end(&f);
}

static void test_mixed(void **state)
{
	(void)state;
	mixed_records(false);
}

static void test_mixed_hashed(void **state)
{
	(void)state;
	mixed_records(true);
}

/* A copy has room for a part of its stream. The rest is hashed and counted. */
static void test_copy(void **state)
{
	struct fixture f;
	(void)state;
	begin(&f, true);
	f.console.copies[1] = scratch_file();
	f.console.copies[2] = scratch_file();
	f.console.copies_max = 6;
	for (unsigned i = 0; i < 3; i++) {
		assert_true(put_record(&f, 1, "abcd", 4));
		assert_true(console_drain(&f.console) > 0);
	}
	expect_file(f.console.copies[1], (const uint8_t *)"abcdab", 6);
	expect_file(f.console.copies[2], NULL, 0);
	assert_int_equal(f.console.copied[1].bytes, 12);
	assert_true(f.console.copied[1].hash == tries_hash(TRIES_HASH_START, "abcdabcdabcd", 12));
	assert_int_equal(f.console.copied[2].bytes, 0);
	assert_true(f.console.copied[2].hash == TRIES_HASH_START);
	end(&f);
}

static void test_full(void **state)
{
	struct fixture f;
	static uint8_t from[0x7ffc], wanted[CONSOLE_RING_BYTES];
	(void)state;
	begin(&f, false);
	f.console.fds[1] = scratch_file();
	memset(from, 'x', sizeof(from));
	memset(wanted, 'x', sizeof(wanted));
	for (int i = 0; i < 8; i++)
		assert_true(put_record(&f, 1, from, sizeof(from)));
	assert_int_equal(f.ring->head, CONSOLE_RING_BYTES);
	assert_int_equal(console_drain(&f.console), CONSOLE_RING_BYTES);
	assert_int_equal(console_drain(&f.console), 0);
	expect_file(f.console.fds[1], wanted, 8 * sizeof(from));
	end(&f);
}

/* Told at every drain from then on, and not followed. */
static void broken_ring(uint64_t head, uint32_t word, const char *why)
{
	struct fixture f;
	begin(&f, false);
	put_bytes(&f, 0, &word, sizeof(word));
	f.ring->head = head;
	assert_int_equal(console_drain(&f.console), -EIO);
	assert_non_null(strstr(f.console.error.text, why));
	assert_int_equal(console_drain(&f.console), -EIO);
	end(&f);
}

static void test_broken(void **state)
{
	(void)state;
	broken_ring(8, CONSOLE_RECORD(0, 4), "a record of no stream");
	broken_ring(8, CONSOLE_RECORD(3, 4), "a record of no stream");
	broken_ring(8, CONSOLE_RECORD(1, 5), "a record longer");
	broken_ring(CONSOLE_RING_BYTES, CONSOLE_RECORD(1, 0x10001), "a record longer");
	broken_ring(CONSOLE_RING_BYTES, CONSOLE_RECORD(1, 0xffffff), "a record longer");
	broken_ring(CONSOLE_RING_BYTES + 1, CONSOLE_RECORD(1, 4), "its counter jumped");
	broken_ring(UINT64_MAX, CONSOLE_RECORD(1, 4), "its counter jumped");
}

/* The counter may not go back either. */
static void test_counter_back(void **state)
{
	struct fixture f;
	(void)state;
	begin(&f, false);
	assert_true(put_record(&f, 1, "abcd", 4));
	assert_int_equal(console_drain(&f.console), 8);
	f.ring->head = 4;
	assert_int_equal(console_drain(&f.console), -EIO);
	assert_non_null(strstr(f.console.error.text, "its counter jumped"));
	end(&f);
}

static void test_reader_gone(void **state)
{
	struct fixture f;
	int ends[2];
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	begin(&f, false);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	f.console.fds[1] = ends[1];
	assert_true(put_record(&f, 1, "abcd", 4));
	assert_true(console_drain(&f.console) < 0);
	assert_string_equal(f.console.error.text, "cannot write standard output: Broken pipe");
	close(ends[1]);
	end(&f);
}

/* A reader that takes nothing: after console_give_up the pipe is filled, the rest dropped, nothing is an error. */
static void test_give_up(void **state)
{
	struct fixture f;
	static uint8_t from[0x8000], got[sizeof(from)];
	int ends[2];
	(void)state;
	memset(from, 'y', sizeof(from));
	begin(&f, false);
	assert_int_equal(pipe(ends), 0);
	int room = fcntl(ends[1], F_SETPIPE_SZ, 0x2000);
	assert_true(room >= 0x2000);
	assert_true(room < (int)sizeof(from));
	f.console.fds[1] = ends[1];
	console_give_up(&f.console);
	assert_true(put_record(&f, 1, from, sizeof(from)));
	assert_true(console_drain(&f.console) > 0);
	assert_int_equal(f.ring->tail, f.ring->head);
	assert_int_equal(f.console.fds[1], -1);
	assert_int_equal(read(ends[0], got, sizeof(got)), room);
	assert_memory_equal(got, from, (size_t)room);
	close(ends[0]);
	close(ends[1]);
	end(&f);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_mixed),   cmocka_unit_test(test_mixed_hashed), cmocka_unit_test(test_full),
	cmocka_unit_test(test_broken),  cmocka_unit_test(test_counter_back), cmocka_unit_test(test_reader_gone),
	cmocka_unit_test(test_give_up), cmocka_unit_test(test_copy),
};

TAP_MAIN(tests)
