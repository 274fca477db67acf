/* SPDX-License-Identifier: MIT */
/* Races as SARIF 2.1.0 (OASIS, 2020), which editors and CI systems show beside the source. */
#ifndef HYPERVISOR_SEARCH_SARIF_H
#define HYPERVISOR_SEARCH_SARIF_H

#include "cli/search/search_races.h"

/** Writes the races of a search of a program to a file, which appears when it is complete. Ends eremite if that fails.
 */
void search_sarif_write(const char *path, const struct search_races *races, const char *program);

#endif
