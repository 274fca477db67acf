/* SPDX-License-Identifier: MIT */
/* Repeats the runs of one image and compares them with what the image has sealed. */
#ifndef HYPERVISOR_IMAGE_VERIFY_H
#define HYPERVISOR_IMAGE_VERIFY_H

#include "pack/image_compare.h"
#include "sealed/image_sign.h"
#include "verify/image_check.h"
#include "verify/verify_option.h"

enum verdict { VERDICT_PASS, VERDICT_DIFFERS, VERDICT_ERROR, VERDICT_TIMEOUT };

/** A step that was run. */
struct verified_step {
	const struct eri_step *step;
	unsigned runs;                /**< that were made; the last one differs if any does */
	struct comparison comparison; /**< of the run that differs */
	char *event;                  /**< the first event that differs, in one line, or NULL */
	char *stacks;                 /**< lines with the stacks there; with `event` only */
	double seconds;               /**< of wall-clock time, of the runs */
};

#define NOTES_MAX 4U

/** The result of one image. Its texts are printable UTF-8, except those of the manifest. */
struct verified {
	char *name; /**< of the image's file */
	struct eri_image image;
	enum verdict verdict;
	bool lacks_feature; /**< VERDICT_ERROR: the host lacks something that the image needs */
	char *error;        /**< why the image could not be verified, or is not what it should be; or NULL */
	struct verified_step steps[ERI_STEPS_MAX];
	unsigned step_count;
	char engine[32];       /**< of the runs; empty: none was made */
	char cpu[16];          /**< the largest model of the runs */
	uint64_t memory_bytes; /**< the most of the runs */
	struct image_check_shared *shared;
	char *kernel;           /**< whose it is; NULL: not known */
	char *signer;           /**< of --signed-by, or NULL */
	bool is_suspect;        /**< the kernel is not one of Eremite's */
	char *notes[NOTES_MAX]; /**< what may be the reason of a difference */
	unsigned note_count;
	double seconds;
};

/** Sets the result of an image that could not be verified. */
void image_verify_fail(struct verified *verified, const char *path, const char *error);

/** Verifies an image. verified->shared is set, the rest is zero. `temporary` is a directory for its files, and `keep`
 * the directory for outputs that differ, or NULL. Nothing of the result is freed before the process ends. */
void image_verify(struct verified *verified, const struct verify_option *option, const char *path,
                  const char *temporary, const char *keep);

#endif
