/* SPDX-License-Identifier: MIT */
/* Finds this executable; its image and its symbolizer are beside it. */
#ifndef HYPERVISOR_OWN_PATH_H
#define HYPERVISOR_OWN_PATH_H

#include <limits.h>

/**
 * Writes the path of this executable, without symbolic links, also if /proc is not mounted. Returns 0 or a negative
 * errno.
 */
int own_path(char path[PATH_MAX]);

#endif
