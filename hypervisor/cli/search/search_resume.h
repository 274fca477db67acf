/* SPDX-License-Identifier: MIT */
/* --resume: a search goes on where an earlier one was stopped, from its results in JSON. */
#ifndef HYPERVISOR_SEARCH_RESUME_H
#define HYPERVISOR_SEARCH_RESUME_H

#include "cli/search/search_results.h"

/** Reads the results of a search that was made with the same options, except those on which no try depends (--runs,
 * --time, --max-failures, --jobs, --processes, --check, --results, -q and -v). Ends eremite with a message if they are
 * not that. */
void search_resume(const char *path, const struct search_option *option, struct search_results *results);

#endif
