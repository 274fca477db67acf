/* SPDX-License-Identifier: MIT */
/* The results of an analysis as a page (docs/analyze.md). */
#ifndef HYPERVISOR_ANALYZE_HTML_H
#define HYPERVISOR_ANALYZE_HTML_H

#include <stdio.h>

#include "analyze/analyze.h"

/** Writes one page that needs no other file and no network. cjson_load was called. */
void analyze_html_put(FILE *to, const struct analyze *analyze);

#endif
