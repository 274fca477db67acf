/* SPDX-License-Identifier: MIT */
/* The results of a part of a verification, and their merging (docs/verify.md). */
#ifndef HYPERVISOR_VERIFY_SHARD_H
#define HYPERVISOR_VERIFY_SHARD_H

#include "verify/image_results.h"

/** Writes the results of a shard, an object of JSON, with `results` as RESULTS_JSON has them. Needs cjson_load. */
void verify_shard_put(FILE *to, const struct verify_option *option, const struct results_total *total,
                      const char *results);

/**
 * Merges the shards whose files option->given names, in any order and also several times, and reports them as
 * option->format wants: to a file if there is one, and then the text to standard output. Makes no run. Returns the exit
 * status. Ends eremite if a file is not a shard, or if files are of different verifications. Needs cjson_load.
 */
int verify_shard_merge(const struct verify_option *option);

#endif
