/* SPDX-License-Identifier: MIT */
/* The names of options on the command line of `eremite run`, looked at before argp(3) parses them: argp answers a wrong
 * one with three lines, and names no other. */
#ifndef HYPERVISOR_OPTION_NAMES_H
#define HYPERVISOR_OPTION_NAMES_H

#include <argp.h>

/** Ends the monitor with one line that names the nearest option where a name is unknown or ambiguous, or a value
 * missing. */
void option_names_check(const struct argp_option *options, int argc, char **argv);

#endif
