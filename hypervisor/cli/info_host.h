/* SPDX-License-Identifier: MIT */
/* What this host offers: `eremite info --host`. */
#ifndef HYPERVISOR_INFO_HOST_H
#define HYPERVISOR_INFO_HOST_H

#include <stdbool.h>
#include <stdio.h>

/**
 * Prints engines, processor models and confinements, one a line: "yes", or "no" with a sentence that says why and what
 * to do about it. Returns whether an engine can be used.
 */
bool info_host_print(FILE *to);

#endif
