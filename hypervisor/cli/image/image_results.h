/* SPDX-License-Identifier: MIT */
/* Writes the results of `eremite verify` (docs/verify.md has the formats). */
#ifndef HYPERVISOR_IMAGE_RESULTS_H
#define HYPERVISOR_IMAGE_RESULTS_H

#include <stdio.h>

#include "cli/image/image_verify.h"

/** Writes one result. `number` is the image's place in the command line, from 1. RESULTS_JSON needs cjson_load
 * first. */
void image_results_put(FILE *to, enum results_format format, const struct verified *verified, unsigned number,
                       bool is_quiet);

/** Counts of all images. */
struct results_total {
	unsigned images, failures, errors;
	double seconds;
};

/** Writes everything: what is before the results, `results` themselves, one after the other, and what is behind them.
 */
void image_results_all(FILE *to, enum results_format format, const struct results_total *total, const char *results);

#endif
