/* SPDX-License-Identifier: MIT */
/* Writes the results of `eremite verify` (docs/verify.md has the formats). */
#ifndef HYPERVISOR_IMAGE_RESULTS_H
#define HYPERVISOR_IMAGE_RESULTS_H

#include <stdio.h>

#include "verify/image_verify.h"

/** How much the text says. */
struct image_results_how {
	bool is_quiet;   /**< nothing about an image that passes, unless its kernel is not one of Eremite's */
	bool is_verbose; /**< also what was checked, and each step */
};

/** Writes one result. `number` is the image's place in the command line, from 1. RESULTS_JSON needs cjson_load
 * first. */
void image_results_put(FILE *to, enum results_format format, const struct verified *verified, unsigned number,
                       const struct image_results_how *how);

/** Counts of all images. */
struct results_total {
	unsigned images, failures, errors;
	double seconds;
};

/** Writes everything: what is before the results, `results` themselves, one after the other, and what is behind them.
 */
void image_results_all(FILE *to, enum results_format format, const struct results_total *total, const char *results);

#endif
