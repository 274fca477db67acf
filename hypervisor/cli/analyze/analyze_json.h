/* SPDX-License-Identifier: MIT */
/* The results of an analysis in JSON (docs/analyze.md). */
#ifndef HYPERVISOR_ANALYZE_JSON_H
#define HYPERVISOR_ANALYZE_JSON_H

#include <stdio.h>

#include "cli/analyze/analyze.h"

/** Writes them. cjson_load was called. */
void analyze_json_put(FILE *to, const struct analyze *analyze);

#endif
