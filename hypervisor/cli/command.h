/* SPDX-License-Identifier: MIT */
/* A program that is given by name alone, as `eremite run ls`. */
#ifndef HYPERVISOR_COMMAND_H
#define HYPERVISOR_COMMAND_H

#include <limits.h>
#include <stdbool.h>

#include "hostfs/binds.h"
#include "run/run.h"

/** Whether a name has no slash and is no program in the working directory: it is searched in the guest's PATH. */
bool command_is_searched(const char *name);

/**
 * Whether the first program of that name in the guest's PATH is a native image among the host's files, and then its
 * path. Other programs the guest finds itself, with its own view of files (kernel/linux/process/command.c).
 */
bool command_find_image(const struct run_config *run, const struct binds *binds, const char *name, char path[PATH_MAX]);

#endif
