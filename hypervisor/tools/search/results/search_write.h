/* SPDX-License-Identifier: MIT */
/* Where the results of a search go: files, and standard output. */
#ifndef HYPERVISOR_SEARCH_WRITE_H
#define HYPERVISOR_SEARCH_WRITE_H

#include "base/error.h"
#include "search/results/search_results.h"

/** Tries the files that the options name, so that a bad path does not waste the tries. Ends eremite if one cannot be
 * written, or would replace another one or what the search reads. Call it after search_input_keep(). */
void search_write_check(const struct search_option *option);

/** Writes what a search has found so far to the file of --state. If the file has more, from another copy of this
 * search, it stays, and at the end of the search this is said. Returns 0, or a negative errno with its line in `error`.
 */
int search_write_state(const struct search_option *option, const struct search_results *results, bool is_end,
                       struct error *error);

/** Writes results: the files of `where`, and then standard output. `option` is the search, which differs from `where`
 * if the results are merged. Says what could not be written. Returns whether all was. */
bool search_write(const struct search_option *where, const struct search_results *results,
                  const struct search_option *option);

#endif
