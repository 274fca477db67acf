/* SPDX-License-Identifier: MIT */
/* Checks the contents of an image by a process of its own, while the runs go on. */
#ifndef HYPERVISOR_IMAGE_CHECK_H
#define HYPERVISOR_IMAGE_CHECK_H

#include <sys/types.h>

#include "base/error.h"
#include "eri/eri_check.h"

/** What `eremite verify` knows of an image before the result: in memory that its processes share. The processes that
 * make the runs do not have it. */
struct image_check_shared {
	struct eri_check_progress progress;
	unsigned step, run; /**< that is made, from 1; 0: none yet */
	bool is_ended;      /**< the check has ended; the fields below are set */
	int result;         /**< of eri_check */
	struct error error; /**< why, if it is not 0 */
	bool is_known;      /**< the kernel is one of Eremite's, or the image has no other than its programs */
	char kernel[256];   /**< whose kernel the image has, as a clause behind "kernel: " */
};

/** Returns memory for `count` images, or NULL. */
struct image_check_shared *image_check_share(unsigned count);

/** Starts the check. Returns the process, or a negative errno. */
pid_t image_check_start(const struct eri_image *image, unsigned threads, struct image_check_shared *shared);

/** Waits for its end. Returns its result: as eri_check, with shared->error set if it is not 0. */
int image_check_end(pid_t pid, struct image_check_shared *shared);

#endif
