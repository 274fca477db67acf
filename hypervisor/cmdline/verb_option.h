/* SPDX-License-Identifier: MIT */
/* What the command lines of all verbs with argp(3) have in common. */
#ifndef HYPERVISOR_VERB_OPTION_H
#define HYPERVISOR_VERB_OPTION_H

#include <argp.h>

#include "option/option_table.h"

/** Parses the command line of a verb with the options `rows`, and gives it -h, --version and the exit status of a wrong
 * command line. `argp` has no options and no children; its parser gets the keys of option_argp_row. */
void verb_option_parse(const struct argp *argp, const struct option_row *rows, int argc, char **argv, void *input);

/** A verb with a few words beside its options. */
struct verb_line {
	const char *args_doc, *doc; /**< of argp(3) */
	const struct option_row *rows;
	void (*take)(void *input, size_t row, char *text); /**< takes an option; NULL: the command has no options */
	unsigned most;                                     /**< words */
	const char *too_many;                              /**< what to say of one more, %s */
};

/** Parses such a command line into words[], which is NULL behind the last one. */
void verb_option_line(const struct verb_line *line, int argc, char **argv, void *input, char **words);

#endif
