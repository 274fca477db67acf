/* SPDX-License-Identifier: MIT */
/* An open directory of a tree, kept open for further names in it. Attributes of a name then cost one system call. */
#ifndef HYPERVISOR_HOST_PLACE_H
#define HYPERVISOR_HOST_PLACE_H

#include <limits.h>
#include <stddef.h>

#include "hostfs/scout/host_scout_read.h"
#include "hostfs/tree/host_tree.h"

/** Zero-initialised: no directory. */
struct host_place {
	const struct host_tree *tree;    /**< NULL: no directory */
	int fd;                          /**< -1: it was read ahead, and is not open */
	size_t length;                   /**< of the directory's path below its tree */
	char path[PATH_MAX];             /**< this path, then the last name that was looked up */
	struct host_scout_item *scouted; /**< the directory as it was read ahead; owned; NULL: it was not */
	uint32_t next;                   /**< index of the name in it that is looked up next, probably */
};

/**
 * Takes the *stamp of an object by its path below the tree. Opens its directory, unless it is already the place.
 * Returns 0 or a negative errno as host_tree_open_object. The place is the directory that had this path when it was
 * opened.
 */
int host_place_stamp(struct host_place *place, const struct host_tree *tree, const char *path,
                     struct host_stamp *stamp);

/** Opens a file for reading, by its path below the tree, as host_tree_reopen. Goes from the place if that is the file's
 * directory. */
int host_place_reopen(const struct host_place *place, const struct host_tree *tree, const char *path);

/** Makes an open directory of the tree the place. Owns `fd` from then on. */
void host_place_set(struct host_place *place, const struct host_tree *tree, const char *path, int fd);

/** Makes a directory that was read ahead the place, which owns it from then on. It is not open: `fd` is -1. */
void host_place_set_scouted(struct host_place *place, struct host_scout_item *directory);

#define HOST_PLACES_LEFT 8 /* as deep as most trees are */

/** Places that were read ahead and left, as a walk leaves a directory for one in it and comes back. Zero-initialised:
 * none. */
struct host_places {
	struct host_place left[HOST_PLACES_LEFT];
	unsigned next; /**< index of the one that is given up next */
};

/** Leaves a place. Keeps it if it was read ahead. */
void host_places_leave(struct host_places *places, struct host_place *place);

/** Makes a directory the place, if it was read ahead at most `life_ns` ago, and left. Returns false if it was not. */
bool host_places_enter(struct host_places *places, struct host_place *place, const struct host_tree *tree,
                       const char *path, uint64_t life_ns);

/** Closes the places, and forgets what was read ahead of the current one. */
void host_places_forget(struct host_places *places, struct host_place *place);

/** Finds a name that was looked up when the place was read ahead, at most `life_ns` ago. Returns NULL if it was not. */
const struct host_scout_name *host_place_scouted(struct host_place *place, const char *name, uint64_t life_ns);

/** Whether the place is this directory, given by its path below the tree. */
bool host_place_is(const struct host_place *place, const struct host_tree *tree, const char *path);

/** Closes the directory; accepts a place without one. */
void host_place_close(struct host_place *place);

#endif
