/* SPDX-License-Identifier: MIT */
/* Programs that the command line names without a path, such as `eremite run ls`. */
#ifndef HYPERVISOR_COMMAND_H
#define HYPERVISOR_COMMAND_H

#include <limits.h>
#include <stdbool.h>

#include "session/session_given.h"
#include "hostfs/tree/binds.h"
#include "run/run.h"

/** Whether a name is searched in the guest's PATH: it has no slash and is not a program in the working directory. */
bool command_is_searched(const char *name);

/**
 * Finds the first program of that name in the guest's PATH, if it is one of the host's files: then writes its path to
 * path[] and returns true. The guest itself finds programs of Linux, with its own view of files
 * (kernel/linux/process/command.c).
 */
bool command_find(const struct run_config *run, const struct binds *binds, const char *name, char path[PATH_MAX]);

/** Says which program runs, if the user's own PATH has another one of that name: a virtual environment's, for example.
 * Says nothing if PATH is among the inputs that were given. */
void command_say_other(const struct record_given *given, const char *name, const char *found);

/** Says the same of the programs that the program has started by their names, at the end of a run: of at most three. */
void command_say_others(const struct record_given *given, const struct run_config *run);

#endif
