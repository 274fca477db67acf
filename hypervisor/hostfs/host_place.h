/* SPDX-License-Identifier: MIT */
/* An open directory of a tree, kept open for further names in it. Attributes of a name then cost one system call. */
#ifndef HYPERVISOR_HOST_PLACE_H
#define HYPERVISOR_HOST_PLACE_H

#include <limits.h>
#include <stddef.h>

#include "hostfs/host_tree.h"

/** Zero-initialised: no directory. */
struct host_place {
	const struct host_tree *tree; /**< NULL: no directory */
	int fd;
	size_t length;       /**< of the directory's path below its tree */
	char path[PATH_MAX]; /**< this path, then the last name that was looked up */
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

/** Whether the place is this directory, given by its path below the tree. */
bool host_place_is(const struct host_place *place, const struct host_tree *tree, const char *path);

/** Closes the directory; accepts a place without one. */
void host_place_close(struct host_place *place);

#endif
