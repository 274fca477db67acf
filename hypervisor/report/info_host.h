/* SPDX-License-Identifier: MIT */
/* `eremite info --host`: what this host offers. */
#ifndef HYPERVISOR_INFO_HOST_H
#define HYPERVISOR_INFO_HOST_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/**
 * Prints engines, processor models and confinements, one per line: "yes", or "no" with the reason and the remedy.
 * `check_signing` returns 0, or says in one line why no image can be signed. Returns whether an engine can be used.
 */
bool info_host_print(FILE *to, int (*check_signing)(struct error *error));

#endif
