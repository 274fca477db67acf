/* SPDX-License-Identifier: MIT */
/* --search of `eremite analyze`: a failure that a search has found. */
#ifndef HYPERVISOR_ANALYZE_SEARCH_H
#define HYPERVISOR_ANALYZE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "library/cjson.h"

/** Reads FILE[:N], the results of a search in JSON, and returns the words of the command of its N-th way to fail,
 * "eremite", "run" and so on, and their number. path[] of `room` bytes gets FILE. Sets *is_timeout: it fails because it
 * was stopped by --timeout, and *seconds to the time that the search took, and *races to the races that it has
 * seen, unchecked, or NULL. Ends eremite on an error. The words and the races live as long as the process. */
char **analyze_search_words(const char *text, char *path, size_t room, int *count, bool *is_timeout, double *seconds,
                            const struct cJSON **races);

#endif
