/* SPDX-License-Identifier: MIT */
/* The guest's environment: --env and --no-env, and the constant default (abi/environment.h). */
#ifndef HYPERVISOR_ENVIRONMENT_H
#define HYPERVISOR_ENVIRONMENT_H

#include <stdbool.h>

#include "base/error.h"
#include "run/run.h"

/**
 * Takes a value of --env: NAME=VALUE, or NAME, which copies the host's value. It replaces an earlier value of the same
 * name. Returns 0, or a negative errno with one line in *error.
 */
int environment_set(struct run_config *run, char *setting, struct error *error);

/**
 * Inserts the defaults that --env did not set before the variables that it set. Called once, after all options. Returns
 * 0 or -ENOMEM.
 */
int environment_add_defaults(struct run_config *run);

/** The value of a variable in the guest's environment, or NULL. */
const char *environment_get(const struct run_config *run, const char *name);

#endif
