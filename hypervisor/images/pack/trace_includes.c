/* SPDX-License-Identifier: MIT */
/* Paths are resolved as the guest resolves them, and each object on the way gets a handle, as if the guest had looked.
 */
#include "pack/trace_includes.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/error.h"
#include "hostfs/host_look.h"

#define LINKS_MAX 40 /* in one path, as on Linux (path_resolution(7)) */

/* State of resolving a path. */
struct walk {
	struct host_files *files;
	char at[PATH_MAX];     /* the resolved part, a path in the guest without links; empty is the root */
	char rest[PATH_MAX];   /* the part still to be resolved */
	char next[PATH_MAX];   /* buffer for a link's target followed by the rest */
	char target[PATH_MAX]; /* of the last link */
	unsigned links;
	uint32_t handle; /* of the object at `at` */
	struct host_file_attributes attributes;
};

static bool mark_included(struct trace_includes *includes, uint32_t handle)
{
	size_t before = includes->room;
	if (!array_reserve(includes->included, includes->room, handle + 1UL))
		return false;
	memset(includes->included + before, 0, (includes->room - before) * sizeof(*includes->included));
	includes->included[handle] = true;
	return true;
}

bool trace_includes_has(const struct trace_includes *includes, uint32_t handle)
{
	return handle < includes->room && includes->included[handle];
}

void trace_includes_fini(struct trace_includes *includes)
{
	free(includes->included);
	*includes = (struct trace_includes){0};
}

/* Whether a path is in a tree; sets the part below it. */
static bool is_in_host_tree(const struct host_tree *tree, const char *path, const char **below)
{
	size_t length = strlen(tree->guest);
	if (length == 1)
		length = 0;
	if (strncmp(path, tree->guest, length) || (path[length] && path[length] != '/'))
		return false;
	*below = path + length + (path[length] == '/');
	return true;
}

/* Looks up the object at walk->at, in the last tree that covers it. Returns 0 or a negative errno. */
static int look_at_include(struct walk *walk)
{
	struct host_files *files = walk->files;
	const char *below;
	char name[NAME_MAX + 1];
	for (unsigned i = files->tree_count; i--;) {
		if (!is_in_host_tree(&files->trees[i], walk->at, &below))
			continue;
		int64_t handle = host_look_name(files, i, "", &walk->attributes, walk->target);
		while (handle >= 0 && *below) {
			size_t length = strcspn(below, "/");
			if (length > NAME_MAX)
				return -ENAMETOOLONG;
			memcpy(name, below, length);
			name[length] = 0;
			handle = host_look_name(files, (uint32_t)handle, name, &walk->attributes, walk->target);
			below += length + (below[length] == '/');
		}
		walk->handle = handle < 0 ? 0 : (uint32_t)handle;
		return handle < 0 ? (int)handle : 0;
	}
	return -ENOENT;
}

/* Puts the target of the link at walk->at in front of the rest. */
static int follow_include(struct walk *walk)
{
	if (++walk->links > LINKS_MAX)
		return -ELOOP;
	int length =
		snprintf(walk->next, sizeof(walk->next), "%s%s%s", walk->target, *walk->rest ? "/" : "", walk->rest);
	if (length < 0 || (size_t)length >= sizeof(walk->next))
		return -ENAMETOOLONG;
	strcpy(walk->rest, walk->next);
	if (*walk->target == '/')
		*walk->at = 0;
	else
		*strrchr(walk->at, '/') = 0;
	return 0;
}

/* Takes one name of the rest. */
static int step_include(struct walk *walk)
{
	char *from = walk->rest + strspn(walk->rest, "/");
	size_t length = strcspn(from, "/"), used = strlen(walk->at);
	bool is_up = length == 2 && !strncmp(from, "..", 2), is_dot = length == 1 && *from == '.';
	char *slash = strrchr(walk->at, '/');
	if (!is_up && !is_dot && length) {
		if (used + 1 + length >= sizeof(walk->at))
			return -ENAMETOOLONG;
		walk->at[used] = '/';
		memcpy(walk->at + used + 1, from, length);
		walk->at[used + 1 + length] = 0;
	} else if (is_up && slash) {
		*slash = 0;
	}
	memmove(walk->rest, from + length, strlen(from + length) + 1);
	int result = look_at_include(walk);
	return !result && S_ISLNK(walk->attributes.mode) ? follow_include(walk) : result;
}

/* Resolves a path. */
static int resolve(struct walk *walk, const char *path)
{
	if (strlen(path) >= sizeof(walk->rest))
		return -ENAMETOOLONG;
	strcpy(walk->rest, path);
	*walk->at = 0;
	walk->links = 0;
	int result = look_at_include(walk);
	while (!result && walk->rest[strspn(walk->rest, "/")])
		result = step_include(walk);
	return result;
}

/* Resolves a path and marks what it leads to. */
static int add_include(struct trace_includes *includes, struct walk *walk, const char *path)
{
	int result = resolve(walk, path);
	return result ? result : mark_included(includes, walk->handle) ? 0 : -ENOMEM;
}

int trace_includes_only_look(struct host_files *files, const char *path)
{
	struct walk *walk = calloc(1, sizeof(*walk));
	if (walk)
		walk->files = files;
	int result = walk ? resolve(walk, path) : -ENOMEM;
	free(walk);
	return result;
}

/* Marks all names of the directories that are marked. A name has a greater handle than its directory, so one pass is
 * enough. */
static int spread(struct trace_includes *includes, struct host_files *files)
{
	for (uint32_t handle = 0; handle < files->objects.count; handle++) {
		if (!trace_includes_has(includes, handle) || !S_ISDIR(host_look_stamp(files, handle)->mode))
			continue;
		int result = host_files_look_all(files, handle);
		if (result && result != -EACCES)
			return result;
		for (uint32_t i = handle + 1; i < files->objects.count; i++)
			if (files->objects.objects[i].parent == handle && !mark_included(includes, i))
				return -ENOMEM;
	}
	return 0;
}

int trace_includes_look(struct trace_includes *includes, struct host_files *files, char *const *paths, unsigned count,
                        struct error *error)
{
	struct walk *walk = calloc(1, sizeof(*walk));
	int result = walk ? 0 : error_set(error, ENOMEM, "out of memory");
	if (walk)
		walk->files = files;
	for (unsigned i = 0; i < count && !result; i++) {
		result = add_include(includes, walk, paths[i]);
		if (result)
			error_set(error, -result, "pack: --include %.160s: %s", paths[i],
			          files->error.text[0] ? files->error.text : strerror(-result));
	}
	free(walk);
	if (!result && count && (result = spread(includes, files)))
		error_set(error, -result, "pack: --include: %.200s",
		          files->error.text[0] ? files->error.text : strerror(-result));
	return result;
}
