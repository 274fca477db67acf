/* SPDX-License-Identifier: MIT */
/* Where this executable is: its image and its symbolizer are beside it. */
#ifndef HYPERVISOR_OWN_PATH_H
#define HYPERVISOR_OWN_PATH_H

#include <limits.h>

/** The path of this executable, without links, also where /proc is not mounted. 0 or a negative errno. */
int own_path(char path[PATH_MAX]);

#endif
