/* SPDX-License-Identifier: MIT */
/* The command line of `eremite run`. */
#ifndef HYPERVISOR_OPTIONS_H
#define HYPERVISOR_OPTIONS_H

#include "session/session.h"

/**
 * Parses argv of the verb (argv[0] is the name to show). On an error it prints a message and exits with EXIT_EREMITE;
 * --help exits with 0. Its allocations live as long as the process.
 */
void options_parse(struct session *options, int argc, char **argv);

#endif
