/* SPDX-License-Identifier: MIT */
/* Trees of an image: their objects, names and contents come from a sealed file instead of the host (eri/). The guest is
 * told what the packed run was told. What the packed run did not learn ends the run. */
#ifndef HYPERVISOR_HOST_SEALED_H
#define HYPERVISOR_HOST_SEALED_H

#include <limits.h>
#include <stdbool.h>

#include "eri/eri_image.h"
#include "eri/eri_names.h"
#include "hostfs/tree/host_tree.h"

struct host_files;
struct host_supply;

/** A tree of a step of an image. */
struct host_sealed {
	const struct eri_image *image;
	const struct eri_names *names;
	unsigned tree;                    /**< its number in the table of names */
	const struct host_supply *supply; /**< the files of --data; NULL: none */
	bool is_another; /**< the run is not the sealed one: names for which the packed run did not look are taken for
	                    missing, and noted (HOST_NOTE_ASSUMED) */
	bool never_ran;  /**< packed by --no-run, so directories have the names of the image and no others */
	bool is_checked; /**< another process hashes all of the image, and the run counts only if that finds no fault */
};

/**
 * Finds an object by its path below a sealed tree. Returns 0, -ENOENT if the packed run found no such object, another
 * negative errno that the packed run was told, -ENODATA if the image does not know, or -EUCLEAN if the image is
 * damaged.
 */
int host_sealed_find(const struct host_tree *tree, const char *path, struct eri_name *name);

/** Finds an object as host_sealed_find, by a name in a directory or by an empty name. If the image does not know it,
 * stops the sealed run, and takes it for missing in another one. */
int host_sealed_look(struct host_files *files, uint32_t handle, const char *name, struct eri_name *found);

/** Stops the run: what the image has of an object, or of a name in it, is not valid. Returns a negative errno. */
int host_sealed_stop_at_damage(struct host_files *files, uint32_t handle, const char *name);

#endif
