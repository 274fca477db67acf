/* SPDX-License-Identifier: MIT */
/* Paths that a guest gives. */
#ifndef HYPERVISOR_CLEAN_PATH_H
#define HYPERVISOR_CLEAN_PATH_H

#include <stdbool.h>

/** Whether it is a relative path of proper names: none is empty, . or .., nor longer than NAME_MAX. */
bool clean_path(const char *path);

#endif
