/* SPDX-License-Identifier: MIT */
/* Hashes of parts of files: compared with those of an image, and kept in the cache if the file is old enough. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "abi/host_file.h"
#include "cache/cache.h"
#include "guest/content_sums.h"
#include "tests/unit/fakes/folder.h"

#define START 4096UL
#define BYTES 300000UL

static uint8_t data[START + BYTES];
static char base[64];
static int file;

static void hash_of(const uint8_t *from, size_t bytes, uint8_t hash[DIGEST_BYTES])
{
	struct digest_sum sum;
	digest_begin(&sum);
	digest_add(&sum, from, bytes);
	digest_end(&sum, hash);
}

static int set_up(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7 + i / 251);
	char path[128];
	if (!folder_make(base) || setenv("EREMITE_CACHE", base, 1))
		return -1;
	snprintf(path, sizeof(path), "%s/file", base);
	file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return file < 0 || write(file, data, sizeof(data)) != (ssize_t)sizeof(data);
}

static int tear_down(void **state)
{
	(void)state;
	close(file);
	return !folder_remove(base);
}

static void compares_a_part_with_its_hash(void **state)
{
	const struct content_part part = {.file = file, .start = START, .bytes = BYTES};
	uint8_t hash[DIGEST_BYTES];
	(void)state;
	hash_of(data + START, BYTES, hash);
	assert_int_equal(content_sums_check(&part, hash), 0);
	hash[31] ^= 1;
	assert_int_equal(content_sums_check(&part, hash), -EUCLEAN);
	const struct content_part other = {.file = file, .start = START + 1, .bytes = BYTES - 1};
	hash[31] ^= 1;
	assert_int_equal(content_sums_check(&other, hash), -EUCLEAN);
}

static void refuses_what_cannot_be_read(void **state)
{
	static const uint8_t hash[DIGEST_BYTES];
	int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC), ends[2];
	const struct content_part parts[] = {
		{.file = file, .start = START, .bytes = BYTES + 1},
		{.file = file, .start = 1UL << 40, .bytes = 1},
		{.file = zeros, .start = 0, .bytes = HOST_FILE_SHOWN_MAX + 1}, /* which would never end */
		{.file = -1, .start = 0, .bytes = 1},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		assert_int_equal(content_sums_check(&parts[i], hash), -EIO);
	assert_int_equal(pipe(ends), 0);
	const struct content_part pipe_part = {.file = ends[0], .start = 0, .bytes = 1};
	assert_int_equal(content_sums_check(&pipe_part, hash), -EIO);
	close(ends[0]);
	close(ends[1]);
	close(zeros);
}

static void a_young_file_is_compared_but_not_kept(void **state)
{
	const struct content_part part = {.file = file, .start = 0, .bytes = sizeof(data)};
	struct content_sums sums;
	uint8_t hash[DIGEST_BYTES];
	bool unused;
	(void)state;
	hash_of(data, sizeof(data), hash);
	assert_int_equal(pwrite(file, data, 1, 0), 1);
	assert_int_equal(content_sums_check(&part, hash), 0);
	assert_false(content_sums_find(&part, &sums, &unused));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
	TEST(compares_a_part_with_its_hash),
	TEST(refuses_what_cannot_be_read),
	TEST(a_young_file_is_compared_but_not_kept),
};

TAP_MAIN(tests)
