/* SPDX-License-Identifier: MIT */
/* What is extracted of an EROFS image: its objects, or those with given paths and what is below them. The plan is made
 * before anything is written, so that most damage is found first. It has copies of the names and attributes that were
 * checked, because another process may write to the image meanwhile: only contents are read later. A stranger may have
 * made the image: the plan has no more names and bytes than an image of its size can hold. */
#ifndef HYPERVISOR_EXTRACT_PLAN_H
#define HYPERVISOR_EXTRACT_PLAN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "eri/erofs_file.h"

/** The directory of the root that has what belongs to the image itself; extracted only if it is named. */
#define EXTRACT_PLAN_OWN ".eremite"

/** A directory, regular file or symbolic link. */
struct extract_item {
	struct erofs_node node; /**< as the image had it when the plan was made */
	size_t name;            /**< where its name begins in the plan's `names`, without NUL behind it */
	uint32_t parent;        /**< index of the directory that it is in */
	uint32_t first;  /**< regular: index of the first item that is the same file, of which others are hard links */
	uint16_t length; /**< of the name */
	uint16_t path_length; /**< below PATH_MAX */
	bool made;            /**< for extract.c: it exists */
};

/** Item 0 is the root directory. A directory is before what is in it. */
struct extract_plan {
	const struct erofs_file *file;
	struct extract_item *items;
	size_t count;
	size_t room;
	char *names; /**< of all items, one behind the other */
	size_t name_bytes, name_room;
	bool compressed;  /**< some contents need lz4_load */
	uint64_t special; /**< devices, FIFOs and sockets, which are left out */
};

/**
 * Makes a plan of all but EXTRACT_PLAN_OWN, or of `path_count` paths; a slash at either end of a path does not matter.
 * The plan uses the image, and extract_plan_fini frees it. Returns 0, or a negative errno with *error set to the
 * reason, a clause that follows "FILE cannot be extracted: "; there is no plan then.
 */
int extract_plan_make(struct extract_plan *plan, const struct erofs_file *file, const char *const *paths,
                      size_t path_count, struct error *error);

/** Frees the plan. */
void extract_plan_fini(struct extract_plan *plan);

/** Writes the path of an item, without a leading slash, to path[]. */
void extract_plan_path(const struct extract_plan *plan, size_t index, char path[PATH_MAX]);

#endif
