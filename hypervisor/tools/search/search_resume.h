/* SPDX-License-Identifier: MIT */
/* --resume: a search goes on where an earlier one was stopped, from its results in JSON. */
#ifndef HYPERVISOR_SEARCH_RESUME_H
#define HYPERVISOR_SEARCH_RESUME_H

#include "library/json_in.h"
#include "search/results/search_results.h"

/** Reads the results of a search that was made with the same options, except those on which no try depends (--runs,
 * --time, --max-failures, --jobs, --processes, --check, --results, -q and -v). Ends eremite with a message if they are
 * not that. */
void search_resume(const char *path, const struct search_option *option, struct search_results *results);

/** Reads the names of inputs in an array of texts: bits 1 << enum search_input. */
unsigned search_inputs_read(const struct json_in *in, const cJSON *json, const char *name);

/** Reads a way to fail from results, but for its counts. Numbers of tries, up to `runs`, are those of the whole search;
 * command_try is 0 if there is none. */
struct search_distinct search_distinct_read(const struct json_in *in, const cJSON *json, uint64_t runs);

#endif
