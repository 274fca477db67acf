/* SPDX-License-Identifier: MIT */
/* The results of an analysis (docs/analyze.md). */
#ifndef HYPERVISOR_ANALYZE_RESULTS_H
#define HYPERVISOR_ANALYZE_RESULTS_H

#include <stdio.h>

#include "analyze/analyze.h"

/** Writes the results in the format text or json. */
void analyze_results_put(FILE *to, enum results_format format, const struct analyze *analyze);

/** Returns the command that replays a schedule file, as a shell takes it. The caller frees it. */
char *analyze_results_command(const struct analyze *analyze, const char *file);

/** Returns what is known about the pair, as a sentence without its end. The caller frees it. */
char *analyze_results_headline(const struct analyze *analyze);

/** Returns what the flip check has shown, a line for each statement. The caller frees it. */
char *analyze_results_verdict(const struct analyze *analyze);

/** Returns what a choice decides, as a sentence without its end; `entry` is of kind choice. The caller frees it. */
char *analyze_results_choice(const struct sched_plan *entry);

#endif
