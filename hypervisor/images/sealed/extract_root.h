/* SPDX-License-Identifier: MIT */
/* Finds what `eremite extract` extracts of a sealed image whose program sees a root file system of its own. */
#ifndef HYPERVISOR_EXTRACT_ROOT_H
#define HYPERVISOR_EXTRACT_ROOT_H

#include "base/error.h"
#include "eri/erofs_file.h"

/**
 * If an image has nothing but /.eremite, puts the root file system of its step in its place. Returns 0, or a negative
 * errno with *error set to the reason, a clause that follows "FILE cannot be extracted: ": -ENOENT if no step has one,
 * or several have.
 */
int extract_root(struct erofs_file *file, struct error *error);

#endif
