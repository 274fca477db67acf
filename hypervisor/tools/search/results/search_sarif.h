/* SPDX-License-Identifier: MIT */
/* Races as SARIF 2.1.0 (OASIS, 2020), which editors and CI systems show beside the source. */
#ifndef HYPERVISOR_SEARCH_SARIF_H
#define HYPERVISOR_SEARCH_SARIF_H

#include <stdio.h>

#include "report/search_races.h"

/** Writes the races of a search of a program. */
void search_sarif_put(FILE *to, const struct search_races *races, const char *program);

#endif
