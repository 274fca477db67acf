/* SPDX-License-Identifier: MIT */
/* The paths of a part are in a binary tree. It also has each path's directory, so a missing prefix ends a search. */
#include "hostfs/tree/host_part.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

struct part_name {
	size_t length;
	bool whole;
	const char *path; /* not ended by a NUL */
};

static int compare_parts(const void *a, const void *b)
{
	const struct part_name *x = a, *y = b;
	int order = memcmp(x->path, y->path, x->length < y->length ? x->length : y->length);
	return order ? order : (x->length > y->length) - (x->length < y->length);
}

int host_part_add(struct host_part *part, const char *path, bool whole)
{
	size_t length = strlen(path);
	struct part_name *name = malloc(sizeof(*name) + length + 1);
	if (!name)
		return -ENOMEM;
	*name = (struct part_name){.length = length, .path = memcpy(name + 1, path, length + 1)};
	struct part_name **found = tsearch(name, &part->root, compare_parts);
	if (!found || *found != name)
		free(name);
	if (!found)
		return -ENOMEM;
	(*found)->whole |= whole;
	return 0;
}

/* Whether a path belongs to the part; sets whether everything below it does. */
static bool find_in_part(const struct host_part *part, const char *path, bool *whole)
{
	size_t length = 0;
	*whole = false;
	while (path[length] && !*whole) {
		length += path[length] == '/';
		length += strcspn(path + length, "/");
		const struct part_name key = {.length = length, .path = path};
		struct part_name *const *found = tfind(&key, &part->root, compare_parts);
		if (!found)
			return false;
		*whole = (*found)->whole;
	}
	return true;
}

bool host_part_shows(const struct host_part *part, const char *path)
{
	bool whole;
	return find_in_part(part, path, &whole);
}

bool host_part_shows_all(const struct host_part *part, const char *path)
{
	bool whole;
	return find_in_part(part, path, &whole) && whole;
}

bool host_part_is_empty(const struct host_part *part)
{
	return !part->root;
}

void host_part_fini(struct host_part *part)
{
	tdestroy(part->root, free);
	part->root = NULL;
}
