/* SPDX-License-Identifier: MIT */
/* Checks the option names of `eremite run` before argp(3) parses them. argp reports a wrong name in three lines and
 * suggests no other name. */
#ifndef HYPERVISOR_OPTION_NAMES_H
#define HYPERVISOR_OPTION_NAMES_H

#include <argp.h>

/**
 * Ends the monitor with one line if an option name is unknown or ambiguous, or a value is missing or superfluous. For
 * an unknown name the line suggests the nearest one.
 */
void option_names_check(const struct argp_option *options, int argc, char **argv);

#endif
