/* SPDX-License-Identifier: MIT */
/* What scripts ask about the options of a verb: completion in shells, and tests. */
#ifndef HYPERVISOR_OPTION_COMPLETE_H
#define HYPERVISOR_OPTION_COMPLETE_H

#include <stdbool.h>
#include <stdio.h>

/** Writes a line for each option of a verb that is not hidden: --NAME, or --NAME= if a value must follow, and then the
 * values that completion offers, each after a blank. Returns false if there is no such verb. */
bool option_complete_print(FILE *to, const char *verb);

#endif
