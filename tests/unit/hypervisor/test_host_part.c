/* SPDX-License-Identifier: MIT */
/* The part of a tree that is shown: by path, and to a guest that asks for other names, whatever its kernel thinks. */
#include "tests/unit/hypervisor/host_files_fixture.h"

static void test_paths(void **state)
{
	struct host_part part = {0};
	(void)state;
	assert_true(host_part_is_empty(&part));
	assert_true(host_part_shows(&part, ""));
	assert_false(host_part_shows(&part, "a"));
	assert_int_equal(host_part_add(&part, "a", false), 0);
	assert_int_equal(host_part_add(&part, "a/b", false), 0);
	assert_int_equal(host_part_add(&part, "a/b/c", true), 0);
	assert_int_equal(host_part_add(&part, "a/b/c", false), 0);
	assert_int_equal(host_part_add(&part, "ab", true), 0);
	assert_false(host_part_is_empty(&part));
	static const char *const in[] = {"a", "a/b", "a/b/c", "a/b/c/d", "a/b/c/d/e", "ab", "ab/c"};
	static const char *const out[] = {"b", "a/", "a/c", "a/bc", "a/b/cd", "abc", "a/b/d", "c", "a/b/d/c", "A"};
	for (unsigned i = 0; i < sizeof(in) / sizeof(in[0]); i++)
		assert_true(host_part_shows(&part, in[i]));
	for (unsigned i = 0; i < sizeof(out) / sizeof(out[0]); i++)
		assert_false(host_part_shows(&part, out[i]));
	host_part_fini(&part);
	assert_true(host_part_is_empty(&part));
}

/* As many names as a directory shows, the last of them in name[]. */
static int64_t list(uint32_t handle, char name[256])
{
	struct host_file_name head = {0};
	int64_t count = ask(HOST_FILE_LIST, handle, "", BUFFER, BUFFER_BYTES, 0);
	uint64_t from = BUFFER;
	for (int64_t i = 0; i < count; i++) {
		assert_int_equal(guest_memory_read(&memory, gpa(from), &head, sizeof(head)), 0);
		assert_int_equal(guest_memory_read(&memory, gpa(from + sizeof(head)), name, head.length), 0);
		name[head.length] = 0;
		from += sizeof(head) + head.length;
	}
	return count;
}

static void test_guest(void **state)
{
	struct host_part part = {0};
	char name[256] = "";
	(void)state;
	trees[0].part = &part;
	put("dir/other", "");
	assert_int_equal(mkdir(at("whole"), 0700), 0);
	put("whole/in", "");
	assert_int_equal(host_part_add(&part, "dir", false), 0);
	assert_int_equal(host_part_add(&part, "dir/inner", false), 0);
	assert_int_equal(host_part_add(&part, "whole", true), 0);
	assert_int_equal(host_files_begin(&files), 0);
	assert_int_equal(look(0, ""), 0);
	assert_int_equal(looked[0].attributes.mode, S_IFDIR | 01777);
	assert_int_equal(look(0, "file"), -ENOENT);
	assert_int_equal(look(0, "link"), -ENOENT);
	assert_int_equal(look(0, "dir"), 2);
	assert_int_equal(look(2, "inner"), 3);
	assert_int_equal(look(2, "other"), -ENOENT);
	assert_int_equal(look_along(0, "whole/in"), 2);
	assert_int_equal(list(2, name), 1);
	assert_string_equal(name, "inner");
	assert_int_equal(list(0, name), 2);
	assert_string_equal(name, "whole");
	assert_int_equal(list(4, name), 1);
	/* What is hidden comes and goes, also where there was nothing. */
	assert_int_equal(look(0, "late"), -ENOENT);
	put("late", "");
	assert_int_equal(unlink(at("file")), 0);
	assert_int_equal(look(0, "late"), -ENOENT);
	assert_int_equal(look(0, "file"), -ENOENT);
	assert_int_equal(list(0, name), 2);
	expect_no_error();
	trees[0].part = NULL;
	host_part_fini(&part);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_paths),
	TEST(test_guest),
};

TAP_MAIN(tests)
