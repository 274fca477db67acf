/* SPDX-License-Identifier: MIT */
/* Checks option names before argp(3) parses them, also for verbs that pass them on to `eremite run`. argp reports a
 * wrong name in three lines and suggests no other name. */
#ifndef HYPERVISOR_OPTION_NAMES_H
#define HYPERVISOR_OPTION_NAMES_H

#include <stdbool.h>

#include "option/option_table.h"

/** The verb whose options are checked. */
struct option_verb {
	const char *name;        /**< "run", for messages */
	const char *const *own;  /**< names that are not in the list; ends with NULL */
	bool takes_abbreviation; /**< of a name, as argp does */
	bool is_mixed;           /**< options may follow arguments */
};

/**
 * Ends the monitor with one line if an option name is unknown or ambiguous, or a value is missing or superfluous. For
 * an unknown name the line suggests the nearest one.
 */
void option_names_check(const struct option_verb *verb, const struct option_row *options, int argc, char **argv);

#endif
