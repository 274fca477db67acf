/* SPDX-License-Identifier: MIT */
/* `eremite info --cost`: what one try and one worker of a search take on this machine, for --mem and the size of an
 * array (docs/search.md). */
#ifndef HYPERVISOR_COST_H
#define HYPERVISOR_COST_H

#include <stdbool.h>

/** Measures, by a command line of `eremite search`, and prints a text or, with `json`, an object. Returns the exit
 * status. Ends eremite with a message if the program cannot be run. */
int cost_run(int argc, char **argv, bool json);

#endif
