/* SPDX-License-Identifier: MIT */
/* Builds JSON, and prints it: its strings may come from a stranger. */
#ifndef HYPERVISOR_JSON_OUT_H
#define HYPERVISOR_JSON_OUT_H

#include <stdio.h>

#include "library/cjson.h"

/**
 * Prints a value and a newline. The output is valid UTF-8 without control characters: those in strings are escaped,
 * and bytes that are not UTF-8 become U+FFFD. Returns 0 or -ENOMEM; the caller checks the stream for write errors.
 */
int json_out_print(FILE *to, const cJSON *json);

/** Appends an empty object to an array, which owns it, and returns it. Ends eremite if memory is exhausted. */
cJSON *json_out_append(cJSON *array);

/** Adds an array of the lines of a text, each of which ends with a newline. If the text is NULL, adds
 * nothing. */
void json_out_lines(cJSON *object, const char *name, const char *text);

#endif
