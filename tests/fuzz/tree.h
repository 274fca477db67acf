/* SPDX-License-Identifier: MIT */
/* Files of the host's that a guest may see: a directory and one file, in a folder that is removed at the end. */
#ifndef TESTS_FUZZ_TREE_H
#define TESTS_FUZZ_TREE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "hostfs/host_files.h"
#include "tests/unit/fakes/folder.h"

static char tree_base[64], tree_file[80];
static struct host_tree tree_trees[2];

static void tree_put(const char *name, const char *text, size_t bytes)
{
	char path[120];
	snprintf(path, sizeof(path), "%s/%s", tree_base, name);
	FILE *to = fopen(path, "w");
	if (!to)
		abort();
	fwrite(text, 1, bytes, to);
	fclose(to);
}

static void tree_remove(void)
{
	folder_remove(tree_base);
}

static void tree_make(void)
{
	char path[120];
	if (!folder_make(tree_base))
		abort();
	atexit(tree_remove);
	snprintf(path, sizeof(path), "%s/d", tree_base);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/d/__pycache__", tree_base);
	mkdir(path, 0755);
	tree_put("d/m.py", "pass\n", 5);
	tree_put("d/__pycache__/m.x.pyc", "\247\r\r\n\0\0\0\0\1\2\3\4\5\0\0\0body", 20);
	tree_put("f", "contents", 8);
	tree_put("e", "", 0);
	snprintf(path, sizeof(path), "%s/l.py", tree_base);
	if (symlink("d/m.py", path))
		abort();
	snprintf(tree_file, sizeof(tree_file), "%s/f", tree_base);
}

/** Shows them for a run; for host_files_close. */
static inline void tree_open(struct host_files *files)
{
	struct error error;
	if (!tree_base[0])
		tree_make();
	tree_trees[0] = (struct host_tree){.host = tree_base, .guest = "/"};
	tree_trees[1] = (struct host_tree){.host = tree_file, .guest = "/one"};
	if (host_files_open(files, tree_trees, 2, &error) || host_files_begin(files))
		abort();
	files->hash = files->bytecode_times = true;
}

/** One of the names in it. */
static inline const char *tree_name(uint64_t number)
{
	static const char *const names[] = {"d", "f", "e", "l.py", "d/m.py", "m.py", "none", "d/__pycache__/m.x.pyc"};
	return names[number % 8];
}

#endif
