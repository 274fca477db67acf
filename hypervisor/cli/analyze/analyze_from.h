/* SPDX-License-Identifier: MIT */
/* --search of `eremite analyze`: a failure that a search has found. */
#ifndef HYPERVISOR_ANALYZE_FROM_H
#define HYPERVISOR_ANALYZE_FROM_H

/** Reads FILE[:N], the results of a search in JSON, and returns the words of the command of its N-th way to fail,
 * "eremite", "run" and so on, and their number. Ends eremite on an error. The words live as long as the process. */
char **analyze_from_words(const char *text, int *count);

#endif
