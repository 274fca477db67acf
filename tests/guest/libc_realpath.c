/* SPDX-License-Identifier: MIT */
/* realpath: links to files and directories, chains, loops, links to nothing, slashes and dots. */
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

static char where[] = "/tmp/eremite-realpath-XXXXXX";

/* The folder's own name differs from run to run of Linux. */
static void show_path(const char *name, char *path)
{
	size_t length = strlen(where);
	if (!path)
		printf("%s: %s\n", name, errno_name(errno));
	else if (strncmp(path, where, length) == 0)
		printf("%s: W%s\n", name, path + length);
	else
		printf("%s: %s\n", name, path);
}

static void resolve(const char *name)
{
	char found[PATH_MAX];
	errno = 0;
	show_path(name, realpath(name, found));
	char *path = canonicalize_file_name(name);
	show_path(name, path);
	free(path);
}

static void links(void)
{
	static const char *const names[] = {
		"file",
		"file/",
		"file/.",
		"file/..",
		"file/x",
		"to_file",
		"./to_file",
		"to_file/",
		"to_file/.",
		"to_file/..",
		"to_file/x",
		"chain",
		"chain/",
		"chain3",
		"dir/../to_file",
		"dir/../to_dir/inner",
		"dir/up",
		"dir/up/",
		"to_dir",
		"to_dir/",
		"to_dir//",
		"to_dir/.",
		"to_dir/..",
		"to_dir/inner",
		"to_dir/inner/",
		"to_dir/to_inner",
		"to_dir/to_inner/",
		"to_dir/back/to_dir/inner",
		"slashed",
		"slashed/",
		"slashed/inner",
		"file_slashed",
		"loop",
		"loop/",
		"loop/x",
		"self",
		"dangling",
		"dangling/",
		"dangling/x",
		"absolute",
		"absolute/",
		"absolute_dir/inner",
		"to_root",
		"to_root/",
		"to_root/..",
		"nothing",
		"nothing/",
		"nothing/..",
		"dir/nothing",
		"to_dot",
		"to_dot/file",
		"to_up/..",
	};
	char target[PATH_MAX];
	symlink("file", "to_file");
	symlink("to_file", "chain");
	symlink("./chain", "chain2");
	symlink("dir/../chain2", "chain3");
	symlink("dir", "to_dir");
	symlink("dir/", "slashed");
	symlink("file/", "file_slashed");
	symlink("inner", "dir/to_inner");
	symlink("../file", "dir/up");
	symlink("..", "dir/back");
	symlink("pool", "loop");
	symlink("loop", "pool");
	symlink("self", "self");
	symlink("nothing", "dangling");
	symlink("/", "to_root");
	symlink(".", "to_dot");
	symlink("..", "to_up");
	snprintf(target, sizeof(target), "%s/file", where);
	symlink(target, "absolute");
	snprintf(target, sizeof(target), "%s//dir/.", where);
	symlink(target, "absolute_dir");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		resolve(names[i]);
	snprintf(target, sizeof(target), "%s/to_file", where);
	show_path("whole", realpath(target, NULL));
	snprintf(target, sizeof(target), "/..//.%s/dir/..//chain", where);
	show_path("whole", realpath(target, NULL));
}

/* As many links in a row as are followed, and one more. */
static void long_chain(void)
{
	char from[16], to[16] = "file";
	for (int i = 1; i <= 42; i++, strcpy(to, from)) {
		snprintf(from, sizeof(from), "long%d", i);
		symlink(to, from);
	}
	resolve("long39");
	resolve("long40");
	resolve("long41");
}

static void odd_names(void)
{
	static char much[PATH_MAX + 10];
	char found[PATH_MAX];
	resolve("/");
	resolve("//");
	resolve("/..");
	resolve("/../.");
	resolve("/nothing-here");
	resolve("/dev/null");
	resolve("/dev/null/");
	resolve("");
	resolve(".");
	resolve("..");
	errno = 0;
	char *volatile none = NULL;
	show_path("NULL", realpath(none, found));
	memset(much, 'x', sizeof(much) - 1);
	show_path("long component", realpath(much, found));
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path);
}

int main(void)
{
	if (!mkdtemp(where) || chdir(where) < 0)
		return 1;
	mkdir("dir", 0700);
	close(creat("file", 0600));
	close(creat("dir/inner", 0600));
	links();
	long_chain();
	odd_names();
	return chdir("/") || nftw(where, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
