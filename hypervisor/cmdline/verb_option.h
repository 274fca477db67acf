/* SPDX-License-Identifier: MIT */
/* What the command lines of all verbs with argp(3) have in common. */
#ifndef HYPERVISOR_VERB_OPTION_H
#define HYPERVISOR_VERB_OPTION_H

#include <argp.h>

#include "option/option_table.h"

/** Parses the command line of a verb with the options `rows`, and gives it -h, --version and the exit status of a wrong
 * command line. `argp` has no options and no children; its parser gets the keys of option_argp_row. */
void verb_option_parse(const struct argp *argp, const struct option_row *rows, int argc, char **argv, void *input);

#endif
