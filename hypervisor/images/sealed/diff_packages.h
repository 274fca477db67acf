/* SPDX-License-Identifier: MIT */
/* How two sealed images differ in the packages whose files they have. */
#ifndef HYPERVISOR_DIFF_PACKAGES_H
#define HYPERVISOR_DIFF_PACKAGES_H

#include <stdbool.h>

#include "base/error.h"
#include "eri/eri_image.h"

/** Reads the lists of packages of both images. Returns 0, or a negative errno with one line in *error. */
int diff_packages_open(const struct eri_image *first, const struct eri_image *second, struct error *error);

/** Whether a path of the guest is in a package, in one of the images at least. */
bool diff_packages_has(const char *path);

/** Counts a file that differs, once for all steps, if it is in a package. `in` says which images have it. */
void diff_packages_count(const char *path, const bool in[2]);

/** Calls `print` with a sign and a line for each package that differs, sorted by name. */
void diff_packages_print(void (*print)(char sign, const char *text));

#endif
