/* SPDX-License-Identifier: MIT */
/* Files that are there when they are complete: what the directory holds before, after, and when it goes wrong. */
#include "tests/unit/fakes/tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/save.h"
#include "tests/unit/fakes/folder.h"

static char base[64];

static int set_up(void **state)
{
	(void)state;
	return folder_make(base) && !chdir(base) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	return chdir("/") || !folder_remove(base);
}

/* Names in the directory, but . and .. */
static unsigned entries(void)
{
	unsigned count = 0;
	DIR *dir = opendir(".");
	while (readdir(dir))
		count++;
	closedir(dir);
	return count - 2;
}

static void expect_file(const char *name, const char *text)
{
	char read[64] = "";
	FILE *from = fopen(name, "r");
	assert_non_null(from);
	read[fread(read, 1, sizeof(read) - 1, from)] = 0;
	fclose(from);
	assert_string_equal(read, text);
}

static void write_file(const char *name, const char *text)
{
	FILE *to = fopen(name, "w");
	fputs(text, to);
	fclose(to);
}

/* How often a file was under another name first, which stays when somebody is killed in between. */
static unsigned renames;
int __real_renameat(int from_dir, const char *from, int to_dir, const char *to);
int __wrap_renameat(int from_dir, const char *from, int to_dir, const char *to);

int __wrap_renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	renames++;
	return __real_renameat(from_dir, from, to_dir, to);
}

static void test_renamed_only_to_replace(void **state)
{
	struct save save;
	(void)state;
	for (unsigned turn = 0; turn < 2; turn++) {
		assert_int_equal(save_open(&save, "new"), 0);
		bool nameless = !save.name[0]; /* the file system may have none */
		fputs(turn ? "again" : "text", save.to);
		renames = 0;
		assert_int_equal(save_commit(&save), 0);
		assert_int_equal(renames, turn || !nameless);
		expect_file("new", turn ? "again" : "text");
		assert_int_equal(entries(), 1);
	}
}

static void test_appears_when_complete(void **state)
{
	struct save save;
	struct stat st;
	(void)state;
	umask(022);
	assert_int_equal(save_open(&save, "new"), 0);
	fputs("text", save.to);
	fflush(save.to);
	assert_int_equal(access("new", F_OK), -1);
	assert_int_equal(save_commit(&save), 0);
	expect_file("new", "text");
	assert_int_equal(stat("new", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	assert_int_equal(entries(), 1);
	assert_int_equal(save_open(&save, "other"), 0);
	fputs("text", save.to);
	save_abandon(&save);
	save_abandon(&save);
	assert_int_equal(entries(), 1);
}

static void test_replaces(void **state)
{
	struct save save;
	struct stat st;
	(void)state;
	write_file("old", "before");
	chmod("old", 0600);
	assert_int_equal(mkdir("dir", 0777), 0);
	assert_int_equal(symlink("../old", "dir/link"), 0);
	assert_int_equal(save_open(&save, "dir/link"), 0);
	fputs("after", save.to);
	expect_file("old", "before");
	assert_int_equal(save_commit(&save), 0);
	expect_file("old", "after");
	assert_int_equal(stat("old", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(lstat("dir/link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(entries(), 2);
}

/* As open(2) would: what the links name is made, and they stay. */
static void test_follows_dangling_links(void **state)
{
	struct save save;
	struct stat st;
	char absolute[80];
	(void)state;
	snprintf(absolute, sizeof(absolute), "%s/dir/first", base);
	assert_int_equal(mkdir("dir", 0777), 0);
	assert_int_equal(symlink("../new", "dir/first"), 0);
	assert_int_equal(symlink(absolute, "second"), 0);
	assert_true(save_is_same("second", "new"));
	assert_true(save_is_same("dir/../new", "dir/first"));
	assert_false(save_is_same("second", "dir/new"));
	assert_int_equal(save_open(&save, "second"), 0);
	fputs("text", save.to);
	assert_int_equal(access("new", F_OK), -1);
	assert_int_equal(save_commit(&save), 0);
	expect_file("new", "text");
	assert_int_equal(lstat("second", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(lstat("dir/first", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(symlink("none/new", "astray"), 0);
	assert_int_equal(save_open(&save, "astray"), -ENOENT);
	assert_int_equal(symlink("round", "round"), 0);
	assert_int_equal(save_open(&save, "round"), -ELOOP);
	assert_int_equal(entries(), 5);
}

static void test_no_regular_file(void **state)
{
	struct save save;
	char read_back[8] = "";
	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	int fifo = open("fifo", O_RDWR);
	assert_int_equal(save_open(&save, "fifo"), 0);
	fputs("text", save.to);
	assert_int_equal(save_commit(&save), 0);
	assert_int_equal(read(fifo, read_back, sizeof(read_back)), 4);
	close(fifo);
	assert_int_equal(entries(), 1);
	assert_int_equal(save_open(&save, "/dev/full"), 0);
	fputs("text", save.to);
	assert_int_equal(save_commit(&save), -ENOSPC);
}

static void test_tried(void **state)
{
	struct save save;
	char read_back[64] = "";
	(void)state;
	write_file("file", "before");
	assert_int_equal(save_try(&save, "file"), 0);
	assert_null(save.to);
	expect_file("file", "before");
	assert_int_equal(save_try(&save, "new"), 0);
	assert_int_equal(entries(), 1);
	assert_int_equal(save_try(&save, "no/such"), -ENOENT);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	int fifo = open("fifo", O_RDONLY | O_NONBLOCK);
	assert_int_equal(save_try(&save, "fifo"), 0);
	assert_int_equal(read(fifo, read_back, sizeof(read_back)), -1); /* and not the end */
	FILE *to = save.to;
	assert_int_equal(save_reopen(&save, "fifo"), 0);
	assert_ptr_equal(save.to, to);
	fputs("text", save.to);
	assert_int_equal(save_commit(&save), 0);
	assert_int_equal(read(fifo, read_back, sizeof(read_back)), 4);
	close(fifo);
}

static void test_refused(void **state)
{
	struct save save;
	(void)state;
	assert_int_equal(save_open(&save, "."), -EISDIR);
	assert_int_equal(save_open(&save, "no/such"), -ENOENT);
	assert_int_equal(save_open(&save, "none/"), -EISDIR);
	assert_int_equal(save_open(&save, ""), -ENOENT);
	write_file("file", "");
	assert_int_equal(save_open(&save, "file/below"), -ENOTDIR);
	assert_int_equal(entries(), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {TEST(test_appears_when_complete),
                                          TEST(test_renamed_only_to_replace),
                                          TEST(test_replaces),
                                          TEST(test_follows_dangling_links),
                                          TEST(test_no_regular_file),
                                          TEST(test_tried),
                                          TEST(test_refused)};

TAP_MAIN(tests)
