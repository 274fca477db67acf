/* SPDX-License-Identifier: MIT */
/* Writes what a plan has into a directory. Nothing comes to be beside it, whatever the image has. */
#ifndef HYPERVISOR_EXTRACT_H
#define HYPERVISOR_EXTRACT_H

#include "base/error.h"
#include "base/mapped_file.h"
#include "eri/extract_plan.h"

/**
 * Writes all of a plan, made of the file `image`, into the empty directory `dir`, which messages call `name`; needs
 * lz4_load before if plan->compressed. Permissions without setuid and setgid and modification times are those of the
 * image; `dir` itself gets those of its root only if `with_root`. Objects belong to the user. Returns 0, or a negative
 * errno with *error set to the reason, a clause that follows "FILE cannot be extracted: "; the directory is then empty
 * again. -EINTR: the caller holds stops (hold_stops.h), and one came.
 */
int extract(struct extract_plan *plan, const struct mapped_source *image, int dir, const char *name, bool with_root,
            struct error *error);

#endif
