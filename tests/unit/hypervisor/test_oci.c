/* SPDX-License-Identifier: MIT */
/* Layers of images, above each other: whiteouts, links, and replaced objects. */
#include "tests/unit/hypervisor/oci_fixture.h"

#include <sys/resource.h>

#include "base/janitor.h"

static struct bytes tar;

static void end_layer(void)
{
	tar_end(&tar);
	add_layer(&tar, 0);
}

static void unpacks_files_modes_and_times(void **state)
{
	(void)state;
	struct stat stat;
	tar_directory(&tar, "./", 0755);
	tar_directory(&tar, "./closed/", 0500);
	tar_file(&tar, "./closed/file", 04711, "one");
	tar_symlink(&tar, "link", "/closed/file");
	tar_link(&tar, "hard", "./closed/file");
	tar_pax(&tar, "mtime", "1400000000.250000000");
	tar_file(&tar, "implied/deep/file", 0644, "two");
	end_layer();
	end_image("");
	assert_unpacks();
	assert_tree("d 500 closed\nf 4711 closed/file one\nf 4711 hard one\nd 755 implied\nd 755 implied/deep\n"
	            "f 644 implied/deep/file two\nl link /closed/file\n");
	lstat(in_base("root/closed"), &stat);
	assert_int_equal(stat.st_mtim.tv_sec, FIXTURE_TIME);
	lstat(in_base("root/link"), &stat);
	assert_int_equal(stat.st_mtim.tv_sec, FIXTURE_TIME);
	assert_int_equal(stat.st_uid, getuid());
	lstat(in_base("root/implied/deep/file"), &stat);
	assert_int_equal(stat.st_mtim.tv_sec, 1400000000);
	assert_int_equal(stat.st_mtim.tv_nsec, 250000000);
	lstat(in_base("root/implied"), &stat);
	assert_int_equal(stat.st_mtim.tv_sec, 631152000);
	lstat(in_base("root/hard"), &stat);
	assert_int_equal(stat.st_nlink, 2);
	lstat(in_base("root"), &stat);
	assert_int_equal(stat.st_mode & 07777, 0700);
	const struct oci_attribute *attribute = oci_attributes_get(&config.attributes, "");
	assert_int_equal(attribute->mode, 0755);
	assert_int_equal(attribute->seconds, FIXTURE_TIME);
	assert_int_equal(oci_attributes_get(&config.attributes, "hard")->mode, 04711);
	assert_int_equal(oci_attributes_get(&config.attributes, "hard")->user, 12345);
	assert_int_equal(oci_attributes_get(&config.attributes, "implied")->user, 0);
	assert_null(oci_attributes_get(&config.attributes, "none"));
}

static void keeps_names_that_are_not_utf8_or_not_normal(void **state)
{
	(void)state;
	char name[200] = "caf\xc3\xa9-cafe\xcc\x81-\xff";
	tar_file(&tar, name, 0644, "1");
	memset(name + strlen(name), 'x', 120);
	name[strlen(name)] = 0;
	tar_file(&tar, name, 0644, "2"); /* by an extended header, which is in UTF-8 */
	tar_pax(&tar, "linkpath", name);
	tar_link(&tar, "hard", "x");
	tar_pax(&tar, "linkpath", name);
	tar_symlink(&tar, "symbolic", "x");
	end_layer();
	end_image("");
	assert_unpacks();
	char path[300];
	snprintf(path, sizeof(path), "root/%s", name);
	assert_int_equal(access(in_base(path), F_OK), 0);
	assert_int_equal(access(in_base("root/caf\xc3\xa9-cafe\xcc\x81-\xff"), F_OK), 0);
	assert_int_equal(access(in_base("root/symbolic"), F_OK), 0);
	shell("test %s -ef %s", in_base("root/hard"), in_base("root/symbolic"));
}

static void later_layers_replace(void **state)
{
	(void)state;
	tar_directory(&tar, "a", 0755);
	tar_file(&tar, "a/below", 0644, "1");
	tar_file(&tar, "b", 0644, "1");
	tar_symlink(&tar, "c", "b");
	tar_file(&tar, "d", 0644, "1");
	tar_link(&tar, "e", "d");
	tar_directory(&tar, "f", 0755);
	tar_file(&tar, "f/stays", 0644, "1");
	tar_symlink(&tar, "g", "f");
	end_layer();
	tar_file(&tar, "a", 0600, "2");
	tar_directory(&tar, "b", 0700);
	tar_file(&tar, "b/below", 0644, "2");
	tar_file(&tar, "c", 0644, "2"); /* not the link's target */
	tar_file(&tar, "d", 0644, "2"); /* not the other name of it */
	tar_directory(&tar, "f", 0711);
	tar_directory(&tar, "g", 0755);
	end_layer();
	end_image("");
	assert_unpacks();
	assert_tree("f 600 a 2\nd 700 b\nf 644 b/below 2\nf 644 c 2\nf 644 d 2\nf 644 e 1\nd 711 f\nf 644 f/stays 1\n"
	            "d 755 g\n");
}

static void the_last_of_two_entries_counts(void **state)
{
	(void)state;
	tar_file(&tar, "a", 0644, "1");
	tar_file(&tar, "a", 0600, "2");
	tar_directory(&tar, "b", 0700);
	tar_directory(&tar, "b", 0555);
	end_layer();
	end_image("");
	assert_unpacks();
	assert_tree("f 600 a 2\nd 555 b\n");
}

static void whiteouts_hide_lower_layers(void **state)
{
	(void)state;
	tar_file(&tar, "a/b/c/file", 0644, "1");
	tar_file(&tar, "a/stays", 0644, "1");
	tar_file(&tar, "file", 0644, "1");
	tar_symlink(&tar, "link", "file");
	tar_file(&tar, "both", 0644, "1");
	end_layer();
	tar_file(&tar, "a/.wh.b", 0644, "");
	tar_file(&tar, ".wh.link", 0644, "");
	tar_file(&tar, ".wh.missing", 0644, "");
	tar_file(&tar, "no/way/.wh.missing", 0644, "");
	tar_file(&tar, "file/.wh.missing", 0644, ""); /* umoci writes these for a directory that became a file */
	tar_file(&tar, "both", 0644, "2");
	tar_file(&tar, ".wh.both", 0644, ""); /* of its own layer it hides nothing */
	end_layer();
	end_image("");
	assert_unpacks();
	assert_tree("d 755 a\nf 644 a/stays 1\nf 644 both 2\nf 644 file 1\n");
}

static void whiteout_spares_what_its_own_layer_has_below(void **state)
{
	(void)state;
	tar_file(&tar, "d/old", 0644, "1");
	tar_file(&tar, "d/e/old", 0644, "1");
	end_layer();
	tar_file(&tar, "d/e/new", 0644, "2");
	tar_file(&tar, ".wh.d", 0644, "");
	end_layer();
	end_image("");
	assert_unpacks();
	assert_tree("d 755 d\nd 755 d/e\nf 644 d/e/new 2\n");
}

static void opaque_directories_hide_in_any_order(void **state)
{
	(void)state;
	tar_file(&tar, "d/old", 0644, "1");
	tar_file(&tar, "d/e/old", 0644, "1");
	tar_file(&tar, "d/f/old", 0644, "1");
	end_layer();
	tar_file(&tar, "d/e/new", 0644, "2");
	tar_file(&tar, "d/.wh..wh..opq", 0644, "");
	tar_file(&tar, "d/last", 0644, "2");
	end_layer();
	end_image("");
	assert_unpacks();
	assert_tree("d 755 d\nd 755 d/e\nf 644 d/e/new 2\nf 644 d/last 2\n");
}

static void an_opaque_root_hides_all(void **state)
{
	(void)state;
	tar_file(&tar, "d/old", 0644, "1");
	end_layer();
	tar_file(&tar, ".wh..wh..opq", 0644, "");
	tar_file(&tar, ".wh..wh.plnk/1.2", 0644, "of aufs");
	tar_file(&tar, "new", 0644, "2");
	end_layer();
	end_image("");
	assert_unpacks();
	assert_tree("f 644 new 2\n");
}

static void hides_a_name_that_its_layer_links_to(void **state)
{
	(void)state;
	tar_file(&tar, "old", 0644, "1");
	end_layer();
	tar_link(&tar, "new", "old");
	tar_file(&tar, ".wh.old", 0644, "");
	end_layer();
	end_image("");
	assert_unpacks();
	assert_tree("f 644 new 1\n");
}

static void parents_that_are_symlinks_are_followed_inside(void **state)
{
	(void)state;
	tar_directory(&tar, "usr/lib", 0755);
	tar_symlink(&tar, "lib", "usr/lib");
	tar_symlink(&tar, "absolute", "/usr/lib");
	tar_symlink(&tar, "usr/up", "../../../..");
	tar_symlink(&tar, "dangling", "/usr/share/./new//");
	tar_symlink(&tar, "chain", "absolute/");
	tar_symlink(&tar, "usr/local", "/usr/lib");
	end_layer();
	tar_file(&tar, "lib/1", 0644, "1");
	tar_file(&tar, "absolute/2", 0644, "2");
	tar_file(&tar, "usr/up/3", 0644, "3"); /* .. of the root is the root */
	tar_file(&tar, "dangling/4", 0644, "4");
	tar_file(&tar, "chain/5", 0644, "5");
	tar_file(&tar, "usr/local/7", 0644, "7");
	tar_link(&tar, "6", "chain/5");
	tar_file(&tar, "chain/.wh.1", 0644, ""); /* hides nothing of its own layer */
	end_layer();
	end_image("");
	assert_unpacks();
	assert_tree("f 644 3 3\nf 644 6 5\nl absolute /usr/lib\nl chain absolute/\nl dangling /usr/share/./new//\n"
	            "l lib usr/lib\nd 755 usr\nd 755 usr/lib\nf 644 usr/lib/1 1\nf 644 usr/lib/2 2\nf 644 usr/lib/5 "
	            "5\nf 644 usr/lib/7 7\n"
	            "l usr/local /usr/lib\n"
	            "d 755 usr/share\nd 755 usr/share/new\nf 644 usr/share/new/4 4\nl usr/up ../../../..\n");
}

static void leaves_out_devices_and_says_how_many(void **state)
{
	(void)state;
	tar_file(&tar, "dev/null", 0644, "1");
	end_layer();
	tar_header(&tar, '3', "dev/null", "", 0666, 0);
	tar_header(&tar, '4', "dev/sda", "", 0666, 0);
	tar_header(&tar, '6', "fifo", "", 0666, 0);
	end_layer();
	end_image("");
	assert_unpacks();
	assert_tree("d 755 dev\n");
	assert_int_equal(config.skipped, 3);
	assert_non_null(strstr(config.warning, "3 devices"));
}

static void reads_sparse_files(void **state)
{
	(void)state;
	tar_sparse(&tar, "sparse", 1000000);
	end_layer();
	end_image("");
	assert_unpacks();
	struct bytes sparse = take_bytes(in_base("root/sparse"));
	assert_int_equal(sparse.size, 1000000);
	assert_int_equal(sparse.data[999999], 'z');
	assert_int_equal(sparse.data[0], 0);
	free(sparse.data);
}

static void goes_deep_with_few_descriptors(void **state)
{
	(void)state;
	static char path[1024];
	struct rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	const struct rlimit few = {32, limit.rlim_max};
	for (unsigned i = 0; i < 400; i++)
		strcpy(path + 2 * i, "d/");
	strcpy(path + 800, "file");
	tar_file(&tar, path, 0644, "1");
	end_layer();
	tar_file(&tar, ".wh.d", 0644, "");
	tar_file(&tar, "new", 0644, "2");
	end_layer();
	end_image("");
	setrlimit(RLIMIT_NOFILE, &few);
	assert_unpacks();
	setrlimit(RLIMIT_NOFILE, &limit);
	assert_tree("f 644 new 2\n");
}

static void removes_what_was_unpacked(void **state)
{
	(void)state;
	tar_directory(&tar, "a/b/c", 0);
	tar_file(&tar, "a/b/file", 0, "1");
	tar_file(&tar, "a/b/c/file", 0, "1");
	tar_directory(&tar, "a/b", 0500);
	tar_symlink(&tar, "out", in_base("outside"));
	end_layer();
	end_image("");
	assert_unpacks();
	janitor_remove(in_base("root"));
	assert_int_equal(access(in_base("root"), F_OK), -1);
}

static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	TEST(unpacks_files_modes_and_times),
	TEST(keeps_names_that_are_not_utf8_or_not_normal),
	TEST(later_layers_replace),
	TEST(the_last_of_two_entries_counts),
	TEST(whiteouts_hide_lower_layers),
	TEST(whiteout_spares_what_its_own_layer_has_below),
	TEST(opaque_directories_hide_in_any_order),
	TEST(an_opaque_root_hides_all),
	TEST(hides_a_name_that_its_layer_links_to),
	TEST(parents_that_are_symlinks_are_followed_inside),
	TEST(leaves_out_devices_and_says_how_many),
	TEST(reads_sparse_files),
	TEST(goes_deep_with_few_descriptors),
	TEST(removes_what_was_unpacked),
};

TAP_MAIN(tests)
