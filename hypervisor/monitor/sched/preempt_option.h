/* SPDX-License-Identifier: MIT */
/* --preempt: where threads of Linux programs may be switched, in addition to kernel calls and `pause`. */
#ifndef HYPERVISOR_PREEMPT_OPTION_H
#define HYPERVISOR_PREEMPT_OPTION_H

#include <stdbool.h>

#include "base/error.h"
#include "code/code_scan.h"

#define PREEMPT_TEXT 80

/**
 * Parses "atomics", "own:N,SEED", "sites:N,SEED", "accesses:N,SEED", "shared:FILE" or "at:LIST"
 * (code_shared.h), whose list it keeps until the process ends. Adds it to `points`, which must not have it yet. Returns
 * 0, or a negative errno with one line in *error, without the option's name.
 */
int preempt_option_parse(const char *text, struct code_points *points, struct error *error);

/**
 * Parses the same in a schedule, as preempt_option_describe wrote it: a list is named by its sum, and not read. Such
 * points can only be compared.
 */
int preempt_option_parse_recorded(const char *text, struct code_points *points, struct error *error);

/** Writes all points separated by blanks, such as "atomics sites:100,7"; empty if there are none. */
void preempt_option_describe(const struct code_points *points, char text[PREEMPT_TEXT]);

/** Writes all points as options, such as "--preempt atomics --preempt sites:100,7", and --clock work. */
void preempt_option_options(const struct code_points *points, char text[PREEMPT_TEXT]);

/** Whether both name the same points. */
bool preempt_option_is_same(const struct code_points *a, const struct code_points *b);

#endif
