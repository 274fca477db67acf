/* SPDX-License-Identifier: MIT */
/* Predicts the requests of a program that walks through a tree of directories, as find, du, grep -r and tar do. Such a
 * program asks for directories, and perhaps for the contents of files, in the order of their handles: a list gives its
 * names consecutive handles. A directory's own names come before the names behind it. */
#ifndef HYPERVISOR_HOST_WALK_H
#define HYPERVISOR_HOST_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "hostfs/host_objects.h"

/** Requests in a row from which on a walk is worth no list: its order alone predicts the rest. */
#define HOST_WALK_LONG 128U

/** A position in a walk. Zero-initialised: no walk. */
struct host_walk {
	uint32_t list;  /**< HOST_FILE_LIST or another operation by which directories are listed; 0: no walk */
	uint32_t top;   /**< handle of the directory in which the walk began */
	uint32_t at;    /**< handle of the object of the last request */
	uint32_t first; /**< handle that the first name in `at` has, if `at` was listed last */
	bool is_listed; /**< the last request ended the list of `at` */
	bool loads;     /**< contents are asked for, too */
	unsigned right; /**< requests in a row that were as predicted */
};

/** A predicted request; its offset is 0. */
struct host_walk_step {
	uint32_t op, handle;
};

/** Predicts the request after a position. Returns false at the end of the tree, or if there is no walk. */
bool host_walk_next(const struct host_walk *walk, const struct host_objects *objects, struct host_walk_step *step);

/** Whether predictions were right often enough for answers to be prepared. */
bool host_walk_is_likely(const struct host_walk *walk);

/**
 * Moves the position behind a request, and counts whether it was predicted. Before a list is served, `first` is the
 * number of objects; `is_end` says that the answer had the last of its names.
 */
void host_walk_follow(struct host_walk *walk, const struct host_objects *objects, const struct host_walk_step *step,
                      uint64_t offset, uint32_t first, bool is_end);

#endif
