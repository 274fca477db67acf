/* SPDX-License-Identifier: MIT */
/* All bytes are written at their offset, or the error is returned. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/write_all.h"

static void test_offset(void **state)
{
	char got[8] = "";
	int fd = memfd_create("test", MFD_CLOEXEC);
	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write_all(fd, "cdef", 4, 2), 0);
	assert_int_equal(write_all(fd, "ab", 2, 0), 0);
	assert_int_equal(write_all(fd, "", 0, 100), 0);
	assert_int_equal(pread(fd, got, sizeof(got), 0), 6);
	assert_string_equal(got, "abcdef");
	close(fd);
}

static void test_errors(void **state)
{
	int ends[2];
	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write_all(ends[1], "a", 1, 0), -ESPIPE);
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(write_all(-1, "a", 1, 0), -EBADF);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_offset),
	cmocka_unit_test(test_errors),
};

TAP_MAIN(tests)
