/* SPDX-License-Identifier: MIT */
/* Layers of images that lead outside, are damaged, or expand without end. The fixture checks what is outside. */
#include "tests/unit/hypervisor/oci_fixture.h"

static struct bytes tar;

static void end_layer(void)
{
	tar_end(&tar);
	add_layer(&tar, 0);
}

static void refuses_paths_upwards(void **state)
{
	(void)state;
	static const char *const paths[] = {"../escaped", "a/../../escaped", "/../escaped", "./..", "a/..", ".."};
	for (unsigned i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		fixture_layers[0] = fixture_diffs[0] = 0;
		tar_file(&tar, paths[i], 0644, "1");
		end_layer();
		end_image("");
		assert_refused(unpack(), EINVAL, "leads upwards by ..");
	}
}

static void takes_absolute_paths_as_the_root_s(void **state)
{
	(void)state;
	char path[200];
	snprintf(path, sizeof(path), "//%s", in_base("outside/victim"));
	tar_file(&tar, path, 0644, "bad");
	end_layer();
	end_image("");
	assert_unpacks();
	snprintf(path, sizeof(path), "root/%s", in_base("outside/victim"));
	assert_int_equal(access(in_base(path), F_OK), 0);
}

static void symlinks_to_outside_lead_nowhere_else(void **state)
{
	(void)state;
	tar_symlink(&tar, "out", in_base("outside"));
	tar_symlink(&tar, "victim", in_base("outside/victim"));
	tar_symlink(&tar, "up", "../outside");
	end_layer();
	tar_file(&tar, "out/victim", 0644, "bad");
	tar_file(&tar, "up/.wh.victim", 0644, "");
	tar_file(&tar, "up/.wh..wh..opq", 0644, "");
	tar_file(&tar, "up/escaped", 0644, "bad");
	tar_file(&tar, "victim", 0644, "mine");
	end_layer();
	end_image("");
	assert_unpacks();
	assert_int_equal(access(in_base("root/outside/escaped"), F_OK), 0);
	struct bytes mine = take_bytes(in_base("root/victim"));
	assert_memory_equal(mine.data, "mine", 4);
	free(mine.data);
}

static void symlinks_in_the_same_layer_lead_nowhere_else(void **state)
{
	(void)state;
	tar_file(&tar, "d/file", 0644, "1");
	tar_symlink(&tar, "d", "../outside"); /* replaces a directory that was just used */
	tar_file(&tar, "d/victim", 0644, "bad");
	tar_directory(&tar, "d", 0777);
	end_layer();
	end_image("");
	assert_unpacks();
	assert_tree("d 777 d\nd 755 outside\nf 644 outside/victim bad\n");
}

static void refuses_hard_links_to_outside(void **state)
{
	(void)state;
	static const char *const targets[] = {"../outside/victim", "up/../../outside/victim"};
	for (unsigned i = 0; i < 2; i++) {
		fixture_layers[0] = fixture_diffs[0] = 0;
		tar_link(&tar, "mine", targets[i]);
		end_layer();
		end_image("");
		assert_refused(unpack(), EINVAL, "the target of a hard link");
	}
	fixture_layers[0] = fixture_diffs[0] = 0;
	tar_symlink(&tar, "up", "../outside");
	tar_link(&tar, "mine", "up/victim");
	end_layer();
	end_image("");
	assert_refused(unpack(), EINVAL, "which is missing");
	fixture_layers[0] = fixture_diffs[0] = 0;
	tar_symlink(&tar, "up", in_base("outside/victim"));
	tar_link(&tar, "mine", "up"); /* a second name of the symbolic link, not of its target */
	tar_link(&tar, "mine", "mine");
	end_layer();
	end_image("");
	assert_unpacks();
	assert_int_equal(access(in_base("root/mine"), F_OK), 0);
}

static void refuses_links_to_directories_and_to_nothing(void **state)
{
	(void)state;
	tar_directory(&tar, "d", 0755);
	tar_link(&tar, "mine", "d");
	end_layer();
	end_image("");
	assert_int_equal(unpack(), -EPERM);
	fixture_layers[0] = fixture_diffs[0] = 0;
	tar_file(&tar, "d/file", 0644, "1");
	tar_link(&tar, "d", "d/file"); /* its target goes when it comes */
	end_layer();
	end_image("");
	assert_int_equal(unpack(), -ENOENT);
}

static void refuses_odd_whiteouts(void **state)
{
	(void)state;
	static const char *const paths[] = {".wh.", ".wh..", ".wh...", "a/.wh...", ".wh.a/file"};
	for (unsigned i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		fixture_layers[0] = fixture_diffs[0] = 0;
		tar_file(&tar, paths[i], 0644, "");
		end_layer();
		end_image("");
		assert_refused(unpack(), EINVAL, "whiteout");
	}
}

static void refuses_ways_through_files_and_loops(void **state)
{
	(void)state;
	tar_file(&tar, "file", 0644, "1");
	tar_file(&tar, "file/below", 0644, "1");
	end_layer();
	end_image("");
	assert_refused(unpack(), EINVAL, "it has a file below file, which is not a directory");
	fixture_layers[0] = fixture_diffs[0] = 0;
	tar_symlink(&tar, "a", "b");
	tar_symlink(&tar, "b", "a");
	tar_file(&tar, "a/file", 0644, "1");
	end_layer();
	end_image("");
	assert_int_equal(unpack(), -ELOOP);
}

static void refuses_a_root_that_is_a_file(void **state)
{
	(void)state;
	tar_file(&tar, ".", 0644, "1");
	end_layer();
	end_image("");
	assert_refused(unpack(), EINVAL, "root is not a directory");
	fixture_layers[0] = fixture_diffs[0] = 0;
	tar_symlink(&tar, "/", "/etc");
	end_layer();
	end_image("");
	assert_refused(unpack(), EINVAL, "root is not a directory");
}

static void refuses_long_names(void **state)
{
	(void)state;
	static char path[5000];
	memset(path, 'x', 300);
	tar_file(&tar, path, 0644, "1");
	end_layer();
	end_image("");
	assert_refused(unpack(), ENAMETOOLONG, "is too long");
	fixture_layers[0] = fixture_diffs[0] = 0;
	for (unsigned i = 0; i < 4500; i++)
		path[i] = "d/"[i % 2];
	tar_file(&tar, path, 0644, "1");
	end_layer();
	end_image("");
	assert_refused(unpack(), ENAMETOOLONG, "is too long");
	/* Short paths whose symbolic links make them long. */
	fixture_layers[0] = fixture_diffs[0] = 0;
	path[3000] = 0;
	tar_directory(&tar, path, 0755);
	tar_pax(&tar, "linkpath", path);
	tar_symlink(&tar, "s", "replaced");
	memcpy(path, "s/", 2);
	path[1500] = 0;
	tar_file(&tar, path, 0644, "1");
	end_layer();
	end_image("");
	assert_refused(unpack(), ENAMETOOLONG, "s/d/d");
}

static void refuses_damaged_archives(void **state)
{
	(void)state;
	char long_text[2001];
	memset(long_text, 'x', 2000);
	long_text[2000] = 0;
	tar_file(&tar, "whole", 0644, "1");
	tar_file(&tar, "cut", 0644, long_text);
	tar.size -= 1024;
	add_layer(&tar, 0);
	end_image("");
	assert_refused(unpack(), EINVAL, "layer 1: it is not a tar archive, or a damaged one");
	fixture_layers[0] = fixture_diffs[0] = 0;
	tar_file(&tar, "a", 0644, "1");
	tar.data[148] ^= 1; /* its sum */
	end_layer();
	end_image("");
	assert_refused(unpack(), EINVAL, "damaged");
	fixture_layers[0] = fixture_diffs[0] = 0;
	tar_header(&tar, '0', "huge", "", 0644, 077777777777UL);
	end_layer();
	end_image("");
	assert_refused(unpack(), EFBIG, "too much");
	assert_int_equal(access(in_base("root/huge"), F_OK), -1);
}

static void refuses_what_expands_too_far(void **state)
{
	(void)state;
	char *zeros = calloc(1, (8 << 20) + 1);
	memset(zeros, 'a', 8 << 20);
	tar_file(&tar, "zeros", 0644, zeros);
	free(zeros);
	tar_end(&tar);
	add_layer(&tar, ARCHIVE_FILTER_GZIP);
	end_image("");
	assert_unpacks();
	limits.free_bytes = 1 << 20;
	assert_refused(unpack(), EFBIG, "too much");
	limits = oci_limits_default;
	limits.bytes = 4 << 20;
	assert_refused(unpack(), EFBIG, "too much");
}

static void refuses_large_sparse_files(void **state)
{
	(void)state;
	tar_sparse(&tar, "sparse", 4000000000000000000);
	end_layer();
	end_image("");
	assert_refused(unpack(), EFBIG, "too much");
}

static void refuses_ways_without_end(void **state)
{
	(void)state;
	char target[300] = "";
	for (unsigned i = 0; i < 40; i++)
		strcat(target, "d/../");
	limits.entries = 10;
	tar_directory(&tar, "d", 0755);
	tar_pax(&tar, "linkpath", target);
	tar_symlink(&tar, "s", "replaced");
	for (unsigned i = 0; i < 3; i++) {
		tar_file(&tar, "s/file", 0644, "1");
		tar_file(&tar, "d/file", 0644, "1");
	}
	end_layer();
	end_image("");
	assert_refused(unpack(), EFBIG, "behind too many symbolic links");
}

static void refuses_searches_without_end(void **state)
{
	(void)state;
	char name[10];
	limits.entries = 40;
	for (unsigned i = 0; i < 10; i++) {
		sprintf(name, "d/%u", i);
		tar_file(&tar, name, 0644, "1");
	}
	for (unsigned i = 0; i < 4; i++) /* each looks at all that is there, and hides nothing */
		tar_file(&tar, "d/.wh..wh..opq", 0644, "");
	end_layer();
	end_image("");
	assert_refused(unpack(), EFBIG, "more than 40 files");
}

static void refuses_too_many_entries(void **state)
{
	(void)state;
	limits.entries = 10;
	tar_file(&tar, "1/2/3/4/5/6/7/8/9", 0644, "1");
	end_layer();
	end_image("");
	assert_unpacks();
	limits.entries = 8;
	assert_refused(unpack(), EFBIG, "more than 8 files");
}

static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	TEST(refuses_paths_upwards),
	TEST(takes_absolute_paths_as_the_root_s),
	TEST(symlinks_to_outside_lead_nowhere_else),
	TEST(symlinks_in_the_same_layer_lead_nowhere_else),
	TEST(refuses_hard_links_to_outside),
	TEST(refuses_links_to_directories_and_to_nothing),
	TEST(refuses_odd_whiteouts),
	TEST(refuses_ways_through_files_and_loops),
	TEST(refuses_a_root_that_is_a_file),
	TEST(refuses_long_names),
	TEST(refuses_damaged_archives),
	TEST(refuses_what_expands_too_far),
	TEST(refuses_large_sparse_files),
	TEST(refuses_too_many_entries),
	TEST(refuses_ways_without_end),
	TEST(refuses_searches_without_end),
};

TAP_MAIN(tests)
