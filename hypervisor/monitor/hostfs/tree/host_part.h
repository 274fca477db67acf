/* SPDX-License-Identifier: MIT */
/* The part of a host tree that a guest may see: names, the directories that lead to them, and some whole directories.
 */
#ifndef HYPERVISOR_HOST_PART_H
#define HYPERVISOR_HOST_PART_H

#include <stdbool.h>

/** Zero-initialised: only the tree's own directory. */
struct host_part {
	void *root; /**< a tsearch(3) tree */
};

/**
 * Adds a path below the tree, whose directory must have been added before. With `whole`, includes everything below it.
 * Copies the text. Returns 0 or -ENOMEM.
 */
int host_part_add(struct host_part *part, const char *path, bool whole);

/** Whether a path below the tree ("" is the tree itself) belongs to the part. */
bool host_part_shows(const struct host_part *part, const char *path);

/** Whether everything below a path belongs to the part, also what is not there yet. */
bool host_part_shows_all(const struct host_part *part, const char *path);

/** Whether nothing was added. */
bool host_part_is_empty(const struct host_part *part);

/** Frees the part. */
void host_part_fini(struct host_part *part);

#endif
