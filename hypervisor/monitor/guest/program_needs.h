/* SPDX-License-Identifier: MIT */
/* Which libraries a Linux program is linked with. */
#ifndef HYPERVISOR_PROGRAM_NEEDS_H
#define HYPERVISOR_PROGRAM_NEEDS_H

#include <stdbool.h>

/** Longest name of a library, with its NUL. */
#define PROGRAM_NEEDS_BYTES 64

/** Finds a library that the program at a path needs (DT_NEEDED) and whose name begins with `prefix`. Writes its name,
 * without a slash, and returns whether there is one. */
bool program_needs(const char *path, const char *prefix, char name[PROGRAM_NEEDS_BYTES]);

#endif
