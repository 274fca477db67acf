/* SPDX-License-Identifier: MIT */
/* The part of a mapped file that was truncated reads as zeros, in any thread, and mapped_file_is_whole() tells. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/mapped_file.h"
#include "base/write_all.h"

#define PAGE 4096UL
#define PAGES 4UL

static int make_file(void)
{
	char page[PAGE];
	int fd = memfd_create("test", MFD_CLOEXEC);
	assert_true(fd >= 0);
	memset(page, 'x', sizeof(page));
	for (unsigned i = 0; i < PAGES; i++)
		assert_int_equal(write_all(fd, page, sizeof(page), (off_t)(i * PAGE)), 0);
	return fd;
}

static void *read_end(void *data)
{
	const volatile char *at = data;
	return at[PAGES * PAGE - 1] ? data : NULL;
}

static void test_truncated(void **state)
{
	int fd = make_file(), other = make_file();
	void *data, *untouched, *found = &fd;
	pthread_t thread;
	(void)state;
	assert_int_equal(mapped_file(fd, 0, PAGES * PAGE, &data), 0);
	assert_int_equal(mapped_file(other, 0, PAGES * PAGE, &untouched), 0);
	assert_int_equal(ftruncate(fd, PAGE), 0);
	assert_true(mapped_file_is_whole(data));
	assert_int_equal(beside_create(&thread, read_end, data), 0);
	assert_int_equal(pthread_join(thread, &found), 0);
	assert_null(found);
	assert_false(mapped_file_is_whole(data));
	assert_true(mapped_file_is_whole(untouched));
	assert_int_equal(((char *)data)[0], 'x');
	assert_int_equal(((char *)data)[PAGE], 0);
	mapped_file_close(data, PAGES * PAGE);
	assert_int_equal(mapped_file(other, 0, PAGES * PAGE, &data), 0);
	assert_true(mapped_file_is_whole(data));
	mapped_file_close(data, PAGES * PAGE);
	mapped_file_close(untouched, PAGES * PAGE);
	close(fd);
	close(other);
}

static void test_limit(void **state)
{
	void *data[MAPPED_FILES_MAX + 1];
	int fd = make_file();
	(void)state;
	for (unsigned i = 0; i < MAPPED_FILES_MAX; i++)
		assert_int_equal(mapped_file(fd, 0, PAGE, &data[i]), 0);
	assert_int_equal(mapped_file(fd, 0, PAGE, &data[MAPPED_FILES_MAX]), -ENFILE);
	for (unsigned i = 0; i < MAPPED_FILES_MAX; i++)
		mapped_file_close(data[i], PAGE);
	assert_int_equal(mapped_file(-1, 0, PAGE, &data[0]), -EBADF);
	close(fd);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_truncated),
	cmocka_unit_test(test_limit),
};
TAP_MAIN(tests)
