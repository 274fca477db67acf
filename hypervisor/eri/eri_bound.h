/* SPDX-License-Identifier: MIT */
/* The objects of an image that its identity covers: those whose contents a SHA-256 in the manifest, or in a table of
 * names that the manifest covers, binds. */
#ifndef HYPERVISOR_ERI_BOUND_H
#define HYPERVISOR_ERI_BOUND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "eri/eri_image.h"

/** What is bound. */
enum eri_bound_kind {
	ERI_BOUND_FILE,      /**< a regular file, by `hash` */
	ERI_BOUND_LINK,      /**< a symbolic link, by `target` */
	ERI_BOUND_DIRECTORY, /**< a directory, by its name */
};

/** An object. */
struct eri_bound {
	char *path; /**< in the image, without a leading slash; owned */
	enum eri_bound_kind kind;
	uint8_t hash[DIGEST_BYTES];
	char *target; /**< owned, or NULL */
	bool is_found;
};

/** All of them, sorted by path and kind. */
struct eri_bounds {
	struct eri_bound *all;
	size_t count, room;
};

/** Lists them, and checks the tables of names. Returns 0; -EUCLEAN, with one line in *error that names the file, if a
 * table was edited, or a file has no SHA-256 or two; or another negative errno with one line in *error. */
int eri_bounds_make(struct eri_bounds *bounds, const struct eri_image *image, struct error *error);

/** Finds an object. For a link, `target` is the link's target; otherwise NULL. Returns NULL if nothing names the
 * object. */
struct eri_bound *eri_bounds_find(const struct eri_bounds *bounds, const char *path, enum eri_bound_kind kind,
                                  const char *target);

/** Whether the path of an object leads through a directory. */
bool eri_bounds_lead(const struct eri_bounds *bounds, const char *dir);

/** Frees the list. */
void eri_bounds_fini(struct eri_bounds *bounds);

#endif
