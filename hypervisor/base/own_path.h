/* SPDX-License-Identifier: MIT */
/* Finds this executable; its image and its symbolizer are beside it. */
#ifndef HYPERVISOR_OWN_PATH_H
#define HYPERVISOR_OWN_PATH_H

#include <limits.h>

/**
 * Writes the path of this executable, without symbolic links, also if /proc is not mounted; in a
 * bundle, that of its launcher. Returns 0 or a negative
 * errno.
 */
int own_path(char path[PATH_MAX]);

/** Finds the program `name` beside this executable, or where `make install` puts it. Returns 0 or a negative errno. */
int own_program(const char *name, char path[PATH_MAX]);

#endif
