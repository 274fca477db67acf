/* SPDX-License-Identifier: MIT */
/* The packages that a sealed run has read files of, by the packing host's database: /.eremite/packages. It is
 * information: no run depends on it.
 *
 * A text. Its first line is ERI_PACKAGES_FIRST. A package has a line of three fields with a tab between them: name,
 * version, architecture. Then each of its files has a line: a tab, and the path in the guest, escaped as in the table
 * of names. Packages are sorted by name and architecture, and the files of a package by path. */
#ifndef HYPERVISOR_ERI_PACKAGES_H
#define HYPERVISOR_ERI_PACKAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "eri/eri_image.h"

#define ERI_PACKAGES_FIRST "eremite packages 1\n"

/** A package. */
struct eri_package {
	char *name, *version, *architecture;
	uint64_t files;
};

/** A file of a package. */
struct eri_packaged {
	char *path;     /**< in the guest */
	uint32_t index; /**< of the package */
};

/** Zero-initialised: no packages. */
struct eri_packages {
	struct eri_package *all;
	size_t count, room;
	struct eri_packaged *files; /**< sorted by path, after eri_packages_open() */
	size_t file_count, file_room;
};

/** Reads the packages of an image; one without that list has none. Returns 0, or a negative errno with one line in
 * *error. */
int eri_packages_open(struct eri_packages *packages, const struct eri_image *image, struct error *error);

/** Finds a file by its path in the guest; NULL: it is of no package. */
const struct eri_packaged *eri_packages_find(const struct eri_packages *packages, const char *path);

/** Adds a package, whose strings are copied. Returns its index, or -ENOMEM. */
int64_t eri_packages_add(struct eri_packages *packages, const char *name, const char *version,
                         const char *architecture);

/** Adds a file of a package. Returns 0 or -ENOMEM. */
int eri_packages_add_file(struct eri_packages *packages, uint32_t package, const char *path);

/** Returns the text of packages that were added in their order, for the caller to free, or NULL without memory. */
char *eri_packages_text(const struct eri_packages *packages, size_t *bytes);

/** Frees everything. */
void eri_packages_fini(struct eri_packages *packages);

#endif
