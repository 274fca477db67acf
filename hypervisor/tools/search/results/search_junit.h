/* SPDX-License-Identifier: MIT */
/* Failed tests in a JUnit file that a try has written. The file is the program's, so it may be hostile: it is read once
 * from front to back, nothing is expanded, and what a report has no need of is refused. */
#ifndef HYPERVISOR_SEARCH_JUNIT_H
#define HYPERVISOR_SEARCH_JUNIT_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/** Most bytes of a file. */
#define SEARCH_JUNIT_MAX (16UL << 20)

/** Writes a line for each failed test, "CLASS.NAME - MESSAGE", at most `most`. Returns how many failed, or a negative
 * errno with one line in *error. */
int search_junit_find(const char *file, size_t bytes, unsigned most, FILE *to, struct error *error);

#endif
