/* SPDX-License-Identifier: MIT */
/* The directory into which layers are unpacked. Paths of an image are relative to it, and symbolic links on the way to
 * an object are followed as if the directory were the root. All system calls that use a path of the image get one
 * without symbolic links, by openat2(2), or a single name in an open directory. */
#ifndef HYPERVISOR_OCI_TREE_H
#define HYPERVISOR_OCI_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oci/oci.h"
#include "oci/oci_marks.h"

/** What a directory gets when all layers are unpacked: its final mode may forbid its owner to write. */
struct oci_tree_note {
	char *path;
	uint64_t number; /**< a later note of the same path replaces earlier ones */
	int64_t seconds; /**< modification time */
	uint32_t nanoseconds;
	uint32_t mode;
};

struct oci_tree {
	int dir; /**< the caller's */
	const struct oci_limits *limits;
	uint64_t entries, bytes;           /**< how much of the limits is used */
	uint64_t steps;                    /**< names that walks have gone over, so that they end */
	struct error *error;               /**< the caller's */
	struct oci_attributes *attributes; /**< the caller's, of what is in the directory, and of what was */

	struct oci_tree_note *notes;
	size_t note_count, note_room, note_bytes;

	struct oci_marks marks; /**< paths that the current layer made, or has something below */

	/* The directory that was found last. */
	int parent; /**< O_PATH; -1: none */
	bool is_marked;
	char given[PATH_MAX], parent_path[PATH_MAX];

	char left[PATH_MAX]; /**< of a walk */
};

/**
 * Prepares to unpack into an empty directory, which stays the caller's, as `attributes` do. Needs an all-zero
 * structure. Returns 0 or a negative errno with one line in *error, as all functions below do if not otherwise said.
 */
int oci_tree_init(struct oci_tree *tree, int dir, const struct oci_limits *limits, struct oci_attributes *attributes,
                  struct error *error);

void oci_tree_fini(struct oci_tree *tree); /**< Releases memory and descriptors. */

/** Counts one more entry, or the bytes of a file, against the limits. */
int oci_tree_count(struct oci_tree *tree, uint64_t entries, uint64_t bytes);

/** Forgets which paths the layer before made. */
void oci_tree_begin_layer(struct oci_tree *tree);

/**
 * Finds the directory at a clean path, or at "". With `creates`, creates the directories missing on the way; without
 * it, -ENOENT, also for a way through a file, has no line. Then tree->parent is the directory, and tree->parent_path
 * its path without symbolic links, until the next call of any of these functions.
 */
int oci_tree_enter(struct oci_tree *tree, const char *path, bool creates);

/** Puts the path of a name in the directory entered to `path`. */
int oci_tree_path(struct oci_tree *tree, const char *name, char path[PATH_MAX]);

/** Notes that the current layer made an object. */
int oci_tree_mark(struct oci_tree *tree, const char *path);

/**
 * Opens an object beneath a directory. Symbolic links are not allowed in `path`, except as its end with O_PATH and
 * O_NOFOLLOW. Returns a descriptor or a negative errno, without a line.
 */
int oci_tree_open(int dir, const char *path, int flags);

/** Forgets the directory entered, because something is removed, which may be on the way to it. */
void oci_tree_leave(struct oci_tree *tree);

/** Writes a line about a path to *error. Returns -reason. */
int oci_tree_fail(const struct oci_tree *tree, const char *path, int reason);

/** Appends a name to a path, or to "". Returns 0 or -ENAMETOOLONG, without a line. */
int oci_tree_join(char path[PATH_MAX], const char *name);

/** Notes mode and time of a directory. */
int oci_tree_note(struct oci_tree *tree, const char *path, uint32_t mode, int64_t seconds, uint32_t nanoseconds);

/** Gives all directories their modes and times. Nothing can be added afterwards. */
int oci_tree_finish(struct oci_tree *tree);

#endif
