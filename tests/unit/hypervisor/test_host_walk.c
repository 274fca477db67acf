/* SPDX-License-Identifier: MIT */
/* Which requests of a walk through a tree are predicted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "abi/host_file.h"
#include "hostfs/host_walk.h"

static struct host_objects objects;
static struct host_walk walk;

static uint32_t add(uint32_t parent, const char *name, uint32_t mode, uint64_t size)
{
	const struct host_stamp stamp = {.mode = mode, .size = size};
	return (uint32_t)host_objects_add(&objects, parent, name, &stamp);
}

/* The root, /top and its names, and one name behind /top. */
static int set_up(void **state)
{
	(void)state;
	walk = (struct host_walk){0};
	host_objects_add_root(&objects, &(struct host_stamp){.mode = S_IFDIR});
	add(0, "top", S_IFDIR, 0);
	add(0, "behind", S_IFDIR, 0);
	add(1, "a", S_IFDIR, 0);
	add(1, "b", S_IFREG, 10);
	add(1, "c", S_IFLNK, 10);
	add(1, "d", S_IFREG, HOST_FILE_SHOWN_MIN + 1);
	add(1, "e", S_IFDIR, 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	host_objects_fini(&objects);
	return 0;
}

static void follow(uint32_t op, uint32_t handle, uint32_t first)
{
	host_walk_follow(&walk, &objects, &(struct host_walk_step){op, handle}, 0, first, true);
}

static void expect(uint32_t op, uint32_t handle)
{
	struct host_walk_step step;
	assert_true(host_walk_next(&walk, &objects, &step));
	assert_int_equal(step.op, op);
	assert_int_equal(step.handle, handle);
}

static void expect_end(void)
{
	struct host_walk_step step;
	assert_false(host_walk_next(&walk, &objects, &step));
}

/* Before a list there is no walk. */
static void test_none(void **state)
{
	(void)state;
	expect_end();
	follow(HOST_FILE_LOAD, 4, 0);
	follow(HOST_FILE_LOOK, 1, 0);
	expect_end();
	assert_false(host_walk_is_likely(&walk));
}

/* Directories come in the order of their names, each with its own before the ones behind it, and none outside. */
static void test_directories(void **state)
{
	(void)state;
	follow(HOST_FILE_LIST_LOOK, 1, 3);
	expect(HOST_FILE_LIST_LOOK, 3);
	uint32_t inner = add(3, "inner", S_IFDIR, 0);
	follow(HOST_FILE_LIST_LOOK, 3, inner);
	assert_false(host_walk_is_likely(&walk));
	expect(HOST_FILE_LIST_LOOK, inner);
	follow(HOST_FILE_LIST_LOOK, inner, objects.count);
	assert_true(host_walk_is_likely(&walk));
	expect(HOST_FILE_LIST_LOOK, 7);
	follow(HOST_FILE_LIST_LOOK, 7, objects.count);
	expect_end();
}

/* After a first file, files are expected, too; links and empty files are not. */
static void test_contents(void **state)
{
	(void)state;
	follow(HOST_FILE_LIST_LOOK, 1, 3);
	follow(HOST_FILE_LIST_LOOK, 3, objects.count);
	follow(HOST_FILE_LOAD, 4, 0);
	expect(HOST_FILE_SHOW, 6);
	follow(HOST_FILE_SHOW, 6, 0);
	follow(HOST_FILE_LOAD, 6, 0); /* the guest has no room to have it shown */
	expect(HOST_FILE_LIST_LOOK, 7);
	assert_int_equal(walk.right, 3);
	follow(HOST_FILE_LIST_LOOK, 7, objects.count);
	assert_int_equal(walk.right, 4);
}

/* Requests that skip files, or go elsewhere, are not a likely walk. */
static void test_wrong(void **state)
{
	(void)state;
	follow(HOST_FILE_LIST_LOOK, 1, 3);
	follow(HOST_FILE_LIST_LOOK, 3, objects.count);
	follow(HOST_FILE_LOAD, 6, 0);
	assert_int_equal(walk.right, 0);
	follow(HOST_FILE_LIST_LOOK, 2, objects.count);
	assert_int_equal(walk.top, 2);
	expect_end();
	follow(HOST_FILE_LOAD, 4, 0); /* not below the new top */
	assert_int_equal(walk.at, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_none, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_directories, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_contents, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_wrong, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
