/* SPDX-License-Identifier: MIT */
/* Trees may be thousands of directories deep, so nothing recurses, and only one directory is open at a time. */
#include "oci/oci_remove.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

/* Removes a name in a directory. Returns 0 or a negative errno; -ENOTEMPTY: it is a directory with entries. */
static int remove_tree_name(int dir, const char *name)
{
	if (!unlinkat(dir, name, 0) || errno == ENOENT)
		return 0;
	if (errno != EISDIR)
		return -errno;
	return unlinkat(dir, name, AT_REMOVEDIR) ? -errno : 0;
}

/* The same by a path, which is the same afterwards. */
static int remove_tree_path(int top, char *path)
{
	char *slash = strrchr(path, '/');
	if (slash)
		*slash = 0;
	int dir = oci_tree_open(top, slash ? path : "", O_PATH | O_DIRECTORY);
	if (slash)
		*slash = '/';
	if (dir < 0)
		return dir;
	int result = remove_tree_name(dir, slash ? slash + 1 : path);
	close(dir);
	return result;
}

static DIR *open_directory_list(int top, const char *path, int *reason)
{
	int fd = oci_tree_open(top, path, O_RDONLY | O_DIRECTORY);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	*reason = fd < 0 ? fd : -ENOMEM;
	if (!list && fd >= 0)
		close(fd);
	return list;
}

/* The next name of a directory that is neither . nor .., or NULL. */
static const struct dirent *next_entry(DIR *list)
{
	const struct dirent *entry;
	do
		entry = readdir(list);
	while (entry && (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")));
	return entry;
}

/* Removes what is in a directory until one of its directories has entries, which it appends to the path. */
static int clear(int top, char path[PATH_MAX])
{
	const struct dirent *entry;
	int result;
	DIR *list = open_directory_list(top, path, &result);
	if (!list)
		return result;
	result = 0;
	while (!result && (entry = next_entry(list))) {
		result = remove_tree_name(dirfd(list), entry->d_name);
		if (result != -ENOTEMPTY)
			continue;
		result = oci_tree_join(path, entry->d_name);
		break;
	}
	closedir(list);
	return result;
}

int oci_remove(struct oci_tree *tree, const char *path)
{
	char at[PATH_MAX];
	oci_tree_leave(tree);
	strcpy(at, path);
	size_t top = strlen(at);
	for (;;) {
		int result = remove_tree_path(tree->dir, at);
		if (result == -ENOTEMPTY)
			result = clear(tree->dir, at);
		else if (!result && strlen(at) == top)
			return 0;
		else if (!result)
			*strrchr(at, '/') = 0;
		if (result)
			return oci_tree_fail(tree, at, -result);
	}
}

/* Directories that are still to be searched. */
struct search {
	char **paths;
	size_t count, room;
};

static bool add_path(struct search *search, const char *path)
{
	if (!array_reserve(search->paths, search->room, search->count + 1))
		return false;
	char *copy = strdup(path);
	if (copy)
		search->paths[search->count++] = copy;
	return copy;
}

/* Removes from a directory what the current layer did not make, and adds the other directories in it to the search. */
static int search_directory(struct oci_tree *tree, struct search *search, const char *path)
{
	char full[PATH_MAX];
	const struct dirent *entry;
	int result;
	DIR *list = open_directory_list(tree->dir, path, &result);
	if (!list && (result == -ENOTDIR || result == -ELOOP || result == -ENOENT))
		return 0;
	if (!list)
		return oci_tree_fail(tree, path, -result);
	result = 0;
	while (!result && (entry = next_entry(list))) {
		strcpy(full, path);
		result = oci_tree_count(tree, 1, 0); /* an image may ask for it often */
		if (result)
			break;
		if (oci_tree_join(full, entry->d_name))
			result = oci_tree_fail(tree, path, ENAMETOOLONG);
		else if (!oci_marks_has(&tree->marks, full))
			result = oci_remove(tree, full);
		else if ((entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN) && !add_path(search, full))
			result = oci_tree_fail(tree, path, ENOMEM);
	}
	closedir(list);
	return result;
}

int oci_remove_lower(struct oci_tree *tree, const char *path, bool spares_it)
{
	struct search search = {0};
	if (!spares_it && !oci_marks_has(&tree->marks, path))
		return oci_remove(tree, path);
	int result = add_path(&search, path) ? 0 : oci_tree_fail(tree, path, ENOMEM);
	oci_tree_leave(tree);
	while (search.count) {
		char *next = search.paths[--search.count];
		if (!result)
			result = search_directory(tree, &search, next);
		free(next);
	}
	free(search.paths);
	return result;
}
