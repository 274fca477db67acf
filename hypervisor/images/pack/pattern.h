/* SPDX-License-Identifier: MIT */
/* Patterns of --exclude and --external, which paths in the guest match (fnmatch(3)). */
#ifndef HYPERVISOR_PATTERN_H
#define HYPERVISOR_PATTERN_H

#include <fnmatch.h>
#include <stdbool.h>
#include <stddef.h>

/** Whether a path matches one of the patterns, which end with NULL; `patterns` NULL: none. */
static inline bool pattern_matches(char *const *patterns, const char *path)
{
	for (; patterns && *patterns; patterns++)
		if (!fnmatch(*patterns, path, 0))
			return true;
	return false;
}

#endif
