/* SPDX-License-Identifier: MIT */
/* Checks paths that a guest gives. */
#ifndef HYPERVISOR_CLEAN_PATH_H
#define HYPERVISOR_CLEAN_PATH_H

#include <stdbool.h>

/** Whether a path is relative, and each of its names is not empty, . or .., and at most NAME_MAX bytes long. */
bool clean_path(const char *path);

#endif
