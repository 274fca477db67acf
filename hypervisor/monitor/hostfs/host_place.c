/* SPDX-License-Identifier: MIT */
#include "hostfs/host_place.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void host_place_close(struct host_place *place)
{
	if (place->tree && place->fd >= 0)
		close(place->fd);
	host_scout_put(place->scouted);
	place->scouted = NULL;
	place->tree = NULL;
}

static bool is_place_at(const struct host_place *place, const struct host_tree *tree, const char *path, size_t length)
{
	return place->tree == tree && place->length == length && !memcmp(place->path, path, length);
}

bool host_place_is(const struct host_place *place, const struct host_tree *tree, const char *path)
{
	return is_place_at(place, tree, path, strlen(path));
}

int host_place_reopen(const struct host_place *place, const struct host_tree *tree, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (tree->leaf || !*path)
		return -ENOTDIR;
	if (is_place_at(place, tree, path, slash ? (size_t)(slash - path) : 0) && place->fd >= 0)
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

void host_place_set_scouted(struct host_place *place, struct host_scout_item *directory)
{
	host_place_set(place, directory->tree, directory->path, -1);
	place->scouted = directory;
	place->next = 0;
}

const struct host_scout_name *host_place_scouted(struct host_place *place, const char *name, uint64_t life_ns)
{
	const struct host_scout_item *directory = place->scouted;
	if (!directory || host_scout_is_old(directory, life_ns))
		return NULL;
	const uint32_t found = host_scout_find_name(directory, name, place->next);
	if (found == directory->count || !directory->names[found].is_stamped)
		return NULL;
	place->next = found + 1;
	return &directory->names[found];
}

void host_places_leave(struct host_places *places, struct host_place *place)
{
	struct host_place *left = &places->left[places->next];
	if (!place->tree || !place->scouted)
		return;
	places->next = (places->next + 1) % HOST_PLACES_LEFT;
	host_place_close(left);
	*left = *place;
	*place = (struct host_place){0};
}

bool host_places_enter(struct host_places *places, struct host_place *place, const struct host_tree *tree,
                       const char *path, uint64_t life_ns)
{
	struct host_place *left = places->left;
	while (left < &places->left[HOST_PLACES_LEFT] && !host_place_is(left, tree, path))
		left++;
	if (left == &places->left[HOST_PLACES_LEFT] || host_scout_is_old(left->scouted, life_ns))
		return false;
	static struct host_place found; /* too large for a stack */
	found = *left;
	left->tree = NULL;
	left->scouted = NULL;
	host_places_leave(places, place);
	host_place_close(place);
	*place = found;
	return true;
}

void host_places_forget(struct host_places *places, struct host_place *place)
{
	for (unsigned i = 0; i < HOST_PLACES_LEFT; i++)
		host_place_close(&places->left[i]);
	host_scout_put(place->scouted);
	place->scouted = NULL;
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
	if (!is_place_at(place, tree, path, length)) {
		host_place_close(place);
		memcpy(place->path, path, length);
		place->path[length] = 0;
		place->tree = tree;
		place->fd = -1;
		place->length = length;
	}
	if (place->fd < 0) {
		struct host_stamp ignored;
		int fd = host_tree_open_object(tree, place->path, O_PATH | O_DIRECTORY, &ignored);
		if (fd < 0) {
			host_place_close(place);
			return fd;
		}
		place->fd = fd;
	}
	int result = host_tree_stamp(tree, place->fd, path, name, stamp);
	return result == -EAGAIN ? open_and_stamp(tree, path, stamp) : result;
}
