/* SPDX-License-Identifier: MIT */
/* Checks that an image has exactly what its identity covers, whether a run reads it or not. */
#ifndef HYPERVISOR_ERI_CHECK_H
#define HYPERVISOR_ERI_CHECK_H

#include "base/error.h"
#include "eri/eri_image.h"

/** How far a check is. Written atomically, so that another process may read it. */
struct eri_check_progress {
	uint64_t files, bytes; /**< in all, once they are known */
	uint64_t bytes_done;   /**< that were hashed */
};

/**
 * Hashes each file of an image by up to `threads` threads, and compares it with its SHA-256 in the manifest or in a
 * table of names. Links have to be as the table has them. `progress` may be NULL.
 *
 * Returns 0; -EUCLEAN, with one line in *error that names the first file, if one was edited or is missing, or if
 * nothing in the image names it; or another negative errno with one line in *error. The line is the same for each
 * number of threads.
 */
int eri_check(const struct eri_image *image, unsigned threads, struct eri_check_progress *progress,
              struct error *error);

#endif
