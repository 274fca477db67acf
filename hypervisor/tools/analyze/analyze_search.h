/* SPDX-License-Identifier: MIT */
/* --search of `eremite analyze`: a failure that a search has found. */
#ifndef HYPERVISOR_ANALYZE_SEARCH_H
#define HYPERVISOR_ANALYZE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "library/cjson.h"

/** What the results say about the failure. The JSON is unchecked and lives as long as the process. */
struct analyze_search_found {
	bool is_timeout;             /**< it fails because it was stopped by --timeout */
	double seconds;              /**< how long the search took; 0: not known */
	const struct cJSON *races;   /**< those that the search has seen; NULL: none */
	const struct cJSON *differs; /**< lines that a passing try does not write; NULL: none */
};

/** Reads FILE[:N], the results of a search in JSON, and returns the words of the command of its N-th way to fail,
 * "eremite", "run" and so on, and their number. path[] of `room` bytes gets FILE. Ends eremite on an error. The words
 * live as long as the process. */
char **analyze_search_words(const char *text, char *path, size_t room, int *count, struct analyze_search_found *found);

#endif
