/* SPDX-License-Identifier: MIT */
/* The results of an analysis in JSON (docs/analyze.md). */
#ifndef HYPERVISOR_ANALYZE_JSON_H
#define HYPERVISOR_ANALYZE_JSON_H

#include <stdio.h>

#include "analyze/analyze.h"
#include "library/cjson.h"

/** How much of long lists is put in. */
struct analyze_json_limits {
	size_t stretches; /**< before and after that of the pair, in each schedule */
	size_t tries;
};

/** Makes the object of the results, which the caller deletes. cjson_load was called. */
cJSON *analyze_json_make(const struct analyze *analyze, const struct analyze_json_limits *limits);

/** Writes all of them. cjson_load was called. */
void analyze_json_put(FILE *to, const struct analyze *analyze);

#endif
