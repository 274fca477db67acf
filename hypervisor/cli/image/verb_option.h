/* SPDX-License-Identifier: MIT */
/* What the command lines of all verbs with argp(3) have in common. */
#ifndef HYPERVISOR_VERB_OPTION_H
#define HYPERVISOR_VERB_OPTION_H

#include <argp.h>

/** Parses the command line of a verb, and gives it -h, --version and the exit status of a wrong command line. `argp`
 * has no children. */
void verb_option_parse(const struct argp *argp, int argc, char **argv, void *input);

#endif
