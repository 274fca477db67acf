/* SPDX-License-Identifier: MIT */
/* --results and --jobs of the verbs that test something. */
#ifndef HYPERVISOR_RESULTS_FORMAT_H
#define HYPERVISOR_RESULTS_FORMAT_H

#include <stdio.h>

enum results_format { RESULTS_TEXT, RESULTS_TAP, RESULTS_JUNIT, RESULTS_JSON };

/** Parses the value of --results, FORMAT[:FILE]. Returns the format and sets *file, NULL for standard output. Ends
 * eremite if the value is wrong. */
enum results_format results_format_parse(const char *verb, char *text, char **file);

/** The default of --jobs: the number of processors that this process may use. */
unsigned results_format_jobs(void);

/** Writes a text with a backslash before each of these characters. */
void results_format_escape(FILE *to, const char *text, const char *characters);

/** Writes a text for XML. */
void results_format_xml(FILE *to, const char *text);

/** Writes each line of a text behind `indent`. */
void results_format_lines(FILE *to, const char *indent, const char *text);

#endif
