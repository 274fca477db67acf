/* SPDX-License-Identifier: MIT */
/* Which look-ups in the order of paths are predicted. */
#include "tests/unit/fakes/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "hostfs/host_look.h"
#include "hostfs/host_lookups.h"
#include "tests/unit/fakes/folder.h"

static struct host_files files;
static struct host_tree trees[1];
static struct host_lookups lookups;
static char base[64];

static void put_file(const char *name)
{
	char path[400];
	snprintf(path, sizeof(path), "%s/%s", base, name);
	for (char *slash = strchr(path + strlen(base) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0755);
		*slash = '/';
	}
	FILE *to = fopen(path, "w");
	assert_non_null(to);
	assert_int_equal(fclose(to), 0);
}

/* The order of paths is a-b, a/..., b/..., although a directory's own name comes before a-b. */
static const char *const paths[] = {"a-b",     "a/1",      "a/2",      "a/deep/er/1", "a/deep/er/2", "a/z",
                                    "b/empty", "b/full/1", "b/full/2", "c",           "d/1",         "d/2"};
#define PATHS (sizeof(paths) / sizeof(paths[0]))

static int set_up(void **state)
{
	struct error error;
	char path[400];
	(void)state;
	if (!folder_make(base) || chmod(base, 0755))
		return -1;
	for (unsigned i = 0; i < PATHS; i++)
		put_file(paths[i]);
	put_file("b/none/at/all/x");
	snprintf(path, sizeof(path), "%s/b/none/at/all/x", base);
	remove(path); /* directories without files */
	trees[0] = (struct host_tree){.host = base, .guest = "/data"};
	return host_files_open(&files, trees, 1, &error) || host_files_begin(&files);
}

static int tear_down(void **state)
{
	(void)state;
	host_lookups_fini(&lookups);
	host_files_close(&files);
	return !folder_remove(base);
}

/* Looks a path up as the guest does: from the last directory that is known; `dirs`: one name at a time. Returns how
 * many of its requests were predicted, or -1 if one was not. */
static int look(const char *path, bool dirs)
{
	struct host_lookups_step step = {0}, next;
	struct host_file_attributes attributes;
	char target[PATH_MAX], rest[256];
	int predicted = 0;
	snprintf(rest, sizeof(rest), "%s", path);
	for (char *name = rest; *name;) {
		uint32_t known;
		char *slash = strchr(name, '/');
		size_t length = strcspn(name, "/");
		snprintf(step.name, sizeof(step.name), "%.*s", (int)(dirs ? length : strlen(name)), name);
		char first[256];
		snprintf(first, sizeof(first), "%.*s", (int)length, name);
		if (slash && host_objects_find(&files.objects, step.handle, first, &known)) {
			step.handle = known;
			name = slash + 1;
			continue;
		}
		bool is_predicted = host_lookups_is_likely(&lookups) &&
		                    host_lookups_next(&lookups, &files, lookups.at, &next) &&
		                    next.handle == step.handle && !strcmp(next.name, step.name);
		uint32_t at = step.handle;
		for (char *part = name, *end; part; part = dirs || !end ? NULL : end + 1) {
			end = strchr(part, '/');
			snprintf(first, sizeof(first), "%.*s", (int)strcspn(part, "/"), part);
			at = (uint32_t)host_look_name(&files, at, first, &attributes, target);
		}
		host_lookups_follow(&lookups, &files, &step, is_predicted);
		predicted = is_predicted ? predicted + 1 : -1;
		if (!dirs || !slash)
			break;
		step.handle = at;
		name = slash + 1;
	}
	return predicted;
}

/* After eight in order, the rest is predicted, with the directories between them. */
static void test_paths(void **state)
{
	(void)state;
	for (unsigned i = 0; i < PATHS; i++)
		assert_int_equal(look(paths[i], false), i < 8 ? -1 : 1);
	struct host_lookups_step next;
	assert_false(host_lookups_next(&lookups, &files, lookups.at, &next));
}

/* A program that looks at each directory before the names in it. */
static void test_directories(void **state)
{
	(void)state;
	for (unsigned i = 0; i < PATHS; i++) {
		int predicted = look(paths[i], true);
		if (i >= 6)
			assert_true(predicted > 0);
	}
}

/* A program that leaves out a predicted name begins the count of right predictions anew. */
static void test_name_left_out(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 8; i++)
		look(paths[i], false);
	assert_true(host_lookups_is_likely(&lookups));
	assert_int_equal(look("c", false), -1);
	assert_false(host_lookups_is_likely(&lookups));
}

/* Names in another order, and requests for something else. */
static void test_other(void **state)
{
	(void)state;
	for (unsigned i = PATHS; i--;)
		look(paths[i], false);
	assert_false(host_lookups_is_likely(&lookups));
	for (unsigned i = 0; i < 8; i++)
		lookups.right = i;
	assert_true(host_lookups_is_likely(&lookups));
	host_lookups_stop(&lookups);
	assert_false(host_lookups_is_likely(&lookups));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(test_paths, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_directories, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_name_left_out, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_other, set_up, tear_down),
};

TAP_MAIN(tests)
