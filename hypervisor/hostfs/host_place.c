/* SPDX-License-Identifier: MIT */
#include "hostfs/host_place.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void host_place_close(struct host_place *place)
{
	if (place->tree)
		close(place->fd);
	place->tree = NULL;
}

static bool is_at(const struct host_place *place, const struct host_tree *tree, const char *path, size_t length)
{
	return place->tree == tree && place->length == length && !memcmp(place->path, path, length);
}

bool host_place_is(const struct host_place *place, const struct host_tree *tree, const char *path)
{
	return is_at(place, tree, path, strlen(path));
}

int host_place_reopen(const struct host_place *place, const struct host_tree *tree, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (tree->leaf || !*path)
		return -ENOTDIR;
	if (is_at(place, tree, path, slash ? (size_t)(slash - path) : 0))
		return host_tree_reopen(tree, place->fd, path, slash ? slash + 1 : path);
	return host_tree_reopen(tree, tree->dir, path, path);
}

void host_place_set(struct host_place *place, const struct host_tree *tree, const char *path, int fd)
{
	host_place_close(place);
	place->tree = tree;
	place->fd = fd;
	place->length = strlen(path);
	memcpy(place->path, path, place->length + 1);
}

/* Takes the stamp by opening the object, which also shows its file system. */
static int open_and_stamp(const struct host_tree *tree, const char *path, struct host_stamp *stamp)
{
	int fd = host_tree_open_object(tree, path, O_PATH, stamp);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

int host_place_stamp(struct host_place *place, const struct host_tree *tree, const char *path, struct host_stamp *stamp)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = slash ? (size_t)(slash - path) : 0;
	if (!*path || tree->leaf)
		return open_and_stamp(tree, path, stamp);
	if (!is_at(place, tree, path, length)) {
		struct host_stamp ignored;
		host_place_close(place);
		memcpy(place->path, path, length);
		place->path[length] = 0;
		int fd = host_tree_open_object(tree, place->path, O_PATH | O_DIRECTORY, &ignored);
		if (fd < 0)
			return fd;
		place->tree = tree;
		place->fd = fd;
		place->length = length;
	}
	int result = host_tree_stamp(tree, place->fd, path, name, stamp);
	return result == -EAGAIN ? open_and_stamp(tree, path, stamp) : result;
}
