/* SPDX-License-Identifier: MIT */
/* Directories that are still to be listed are kept in an array, because a hostile image could exhaust the stack. */
#include "eri/erofs_walk.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"

#define INODE_BYTES 32UL /* of the shortest inode; a nid counts them */

/* A directory to be listed. */
struct pending {
	char *path; /* owned */
	uint64_t nid;
};

struct walk {
	const struct erofs_file *file;
	int (*each)(void *context, const char *path, const struct erofs_node *node);
	void *context;
	uint8_t *seen; /* a bit for each nid: a directory that was found */
	struct pending *pending;
	size_t count, room;
	const char *dir; /* path of the directory that is listed */
};

static int add_pending(struct walk *walk, const char *path, uint64_t nid)
{
	uint8_t *byte = &walk->seen[nid / 8], bit = (uint8_t)(1U << nid % 8);
	if (*byte & bit)
		return -EUCLEAN;
	*byte |= bit;
	if (!array_reserve(walk->pending, walk->room, walk->count + 1))
		return -ENOMEM;
	char *copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	walk->pending[walk->count++] = (struct pending){copy, nid};
	return 0;
}

static int visit_entry(void *context, const char *name, size_t length, uint64_t nid, unsigned)
{
	struct walk *walk = context;
	struct erofs_node node;
	char path[PATH_MAX];
	int error = erofs_file_node(walk->file, nid, &node);
	if (error)
		return error;
	if (snprintf(path, sizeof(path), "%s%s%.*s", walk->dir, *walk->dir ? "/" : "", (int)length, name) >= PATH_MAX)
		return -ENAMETOOLONG;
	error = walk->each(walk->context, path, &node);
	return error || !S_ISDIR(node.mode) ? error : add_pending(walk, path, nid);
}

int erofs_walk(const struct erofs_file *file, const char *top,
               int (*each)(void *context, const char *path, const struct erofs_node *node), void *context)
{
	struct walk walk = {.file = file, .each = each, .context = context};
	struct erofs_node node;
	int result = erofs_file_find(file, top, &node);
	if (result || !S_ISDIR(node.mode))
		return result ? result : -ENOTDIR;
	walk.seen = calloc((file->bytes - file->meta) / INODE_BYTES / 8 + 1, 1);
	result = walk.seen ? add_pending(&walk, top, node.nid) : -ENOMEM;
	while (!result && walk.count) {
		struct pending next = walk.pending[--walk.count];
		walk.dir = next.path;
		result = erofs_file_node(file, next.nid, &node);
		if (!result)
			result = erofs_file_list(file, &node, visit_entry, &walk);
		free(next.path);
	}
	while (walk.count)
		free(walk.pending[--walk.count].path);
	free(walk.pending);
	free(walk.seen);
	return result;
}
