/* SPDX-License-Identifier: MIT */
/* What --bind takes. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "hostfs/tree/binds.h"

static struct binds binds;
static struct error error;

static void clear(void)
{
	for (unsigned i = 0; i < binds.count; i++)
		free((char *)binds.trees[BINDS_FIRST + i].host);
	host_part_fini(&binds.tmp);
	memset(&binds, 0, sizeof(binds));
}

static void expect(const char *text, const char *host, const char *guest, bool read_only)
{
	clear();
	assert_int_equal(binds_add(&binds, text, &error), 0);
	assert_int_equal(binds.count, 1);
	assert_string_equal(binds.trees[BINDS_FIRST].host, host);
	assert_string_equal(binds.trees[BINDS_FIRST].guest, guest);
	assert_int_equal(binds.trees[BINDS_FIRST].read_only, read_only);
}

static void refuse_it(const char *text, const char *why)
{
	clear();
	assert_true(binds_add(&binds, text, &error) < 0);
	assert_non_null(strstr(error.text, why));
	assert_int_equal(binds.count, 0);
}

static void test_parse(void **state)
{
	(void)state;
	expect("a:/b", "a", "/b", false);
	expect("/a b/c:/b/c/:ro", "/a b/c", "/b/c", true);
	expect("a:b:c:/", "a:b:c", "/", false);
	expect("a:/x:ro", "a", "/x", true);
	expect("a:/x:y", "a", "/x:y", false);
	expect("a:/x:rw/", "a", "/x:rw", false);
	expect("a:/..x/.y/...", "a", "/..x/.y/...", false);
	expect("a:/outer", "a", "/outer", false);
	clear();
	refuse_it("", "give it as");
	refuse_it(":/b", "give it as");
	refuse_it("a", "give it as");
	refuse_it("a:b", "give it as");
	refuse_it("a:b:ro", "give it as");
	refuse_it("a:/x:rw", "leave out :rw");
	refuse_it("a:b:rw", "give it as");
	refuse_it("a:/b//c", "give it as");
	refuse_it("a:/b/./c", "give it as");
	refuse_it("a:/b/..", "give it as");
	refuse_it("a:/out", "the guest's own");
	refuse_it("a:/proc/x:ro", "the guest's own");
}

static void test_many(void **state)
{
	(void)state;
	clear();
	for (unsigned i = 0; i < BINDS_MAX; i++)
		assert_int_equal(binds_add(&binds, "/usr:/x", &error), 0);
	assert_int_equal(binds_add(&binds, "/usr:/x", &error), -E2BIG);
	clear();
}

static void test_open(void **state)
{
	struct host_files files;
	(void)state;
	clear();
	assert_int_equal(binds_add(&binds, "/usr:/x:ro", &error), 0);
	assert_int_equal(binds_open(&binds, true, &files, &error), 0);
	assert_int_equal(files.tree_count, 2);
	assert_string_equal(files.trees[0].guest, "/");
	assert_string_equal(files.trees[1].guest, "/x");
	host_files_close(&files);
	assert_int_equal(binds_open(&binds, false, &files, &error), 0);
	assert_int_equal(files.tree_count, 1);
	assert_string_equal(files.trees[0].guest, "/x");
	host_files_close(&files);
	assert_int_equal(host_part_add(&binds.tmp, "x", false), 0);
	assert_int_equal(binds_open(&binds, true, &files, &error), 0);
	assert_int_equal(files.tree_count, 3);
	assert_string_equal(files.trees[1].guest, "/tmp");
	assert_ptr_equal(files.trees[1].part, &binds.tmp);
	assert_string_equal(files.trees[2].guest, "/x");
	host_files_close(&files);
	assert_int_equal(binds_open(&binds, false, &files, &error), 0);
	assert_int_equal(files.tree_count, 1);
	host_files_close(&files);
	assert_int_equal(binds_add(&binds, "/proc/self:/y", &error), 0);
	assert_int_equal(binds_open(&binds, true, &files, &error), -EINVAL);
	assert_string_equal(error.text, "'/proc/self' is in the host's /proc, which programs never see");
	clear();
}

static void test_hide(void **state)
{
	(void)state;
	clear();
	assert_true(binds_hide(&binds, "/proc/self"));
	assert_false(binds_hide(&binds, "/tmp"));
	assert_int_equal(binds_add(&binds, "/usr:/x/y", &error), 0);
	assert_true(binds_hide(&binds, "/x/y"));
	assert_true(binds_hide(&binds, "/x/y/z"));
	assert_false(binds_hide(&binds, "/x/yz"));
	assert_false(binds_hide(&binds, "/x"));
	assert_int_equal(binds_add(&binds, "/usr:/", &error), 0);
	assert_true(binds_hide(&binds, "/x"));
	clear();
}

/* The directories of abi/own_paths.h that are closed, and what is below them. */
static void test_own(void **state)
{
	static const char *const closed[] = {"/proc", "/sys", "/dev", "/out"};
	char below[16];
	(void)state;
	for (unsigned i = 0; i < sizeof(closed) / sizeof(closed[0]); i++) {
		assert_string_equal(binds_own(closed[i]), closed[i]);
		snprintf(below, sizeof(below), "%s/x", closed[i]);
		assert_string_equal(binds_own(below), closed[i]);
		snprintf(below, sizeof(below), "%sx", closed[i]);
		assert_null(binds_own(below));
	}
	assert_null(binds_own("/tmp"));
	assert_null(binds_own("/"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_parse), cmocka_unit_test(test_many), cmocka_unit_test(test_open),
	cmocka_unit_test(test_hide),  cmocka_unit_test(test_own),
};

TAP_MAIN(tests)
