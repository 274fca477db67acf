/* SPDX-License-Identifier: MIT */
/* What the kinds of trees do each in their own way: those of the live host (host_live.c) and those of an image
 * (host_sealed.c). host_tree_open chooses the kind; nothing else asks for it. */
#ifndef HYPERVISOR_HOST_TREE_OPS_H
#define HYPERVISOR_HOST_TREE_OPS_H

#include "hostfs/tree/host_tree.h"

struct host_place;

struct host_tree_ops {
	/** Opens the tree. Returns 0, or a negative errno with one line in error[]. */
	int (*open)(struct host_tree *tree, char error[256]);

	/** Takes the *stamp that an object has now, as host_place_stamp. NULL: objects cannot change during a run. */
	int (*stamp)(struct host_place *place, const struct host_tree *tree, const char *path,
	             struct host_stamp *stamp);
};

/** A tree of the live host: a directory or a file of --bind, the whole host, or the part of its /tmp. */
extern const struct host_tree_ops host_live_ops;

/** A tree of an image. */
extern const struct host_tree_ops host_sealed_ops;

#endif
