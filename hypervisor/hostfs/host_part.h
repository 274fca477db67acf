/* SPDX-License-Identifier: MIT */
/* The part of a tree of the host's that a guest may see: names, the directories that lead to them, and of some
 * directories all that is below. */
#ifndef HYPERVISOR_HOST_PART_H
#define HYPERVISOR_HOST_PART_H

#include <stdbool.h>

/** Zero-initialised: nothing but the tree's own directory. */
struct host_part {
	void *root; /**< of a binary tree, search.h */
};

/**
 * Adds a path below the tree, whose directory was added before; `whole` with all that is below it. 0 or -ENOMEM. The
 * text is copied.
 */
int host_part_add(struct host_part *part, const char *path, bool whole);

/** Whether a path below the tree ("" is the tree itself) belongs to the part. */
bool host_part_shows(const struct host_part *part, const char *path);

/** Whether nothing was added. */
bool host_part_is_empty(const struct host_part *part);

/** Frees it. */
void host_part_fini(struct host_part *part);

#endif
