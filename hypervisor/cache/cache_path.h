/* SPDX-License-Identifier: MIT */
/* Where the cache is. Each machine has its own, although many of them may share a home directory. */
#ifndef HYPERVISOR_CACHE_PATH_H
#define HYPERVISOR_CACHE_PATH_H

#include <limits.h>
#include <stdbool.h>

/** A place for the cache. */
struct cache_path {
	char path[PATH_MAX];
	bool is_temporary; /**< directly in a directory of temporary files, where other users can make names, too */
};

/**
 * Finds the place that comes as the nth (from 0), the best one first:
 * - `given` or, if that is NULL, $EREMITE_CACHE: if either names a place, it is the only one, and "" means no cache;
 * - the usual place, which is eremite in $XDG_CACHE_HOME (XDG Base Directory Specification) or in ~/.cache, unless its
 * file system is one that machines share, or this is a job of Slurm and $XDG_CACHE_HOME is not set;
 * - eremite-UID in $SLURM_TMPDIR and in $TMPDIR, unless their file system is one that machines share;
 * - the usual place, if it was not the first; on a file system that machines share, this machine's folder in it.
 * Does not find one in a home directory that is missing or read-only. Returns whether there is such a place.
 */
bool cache_path_find(const char *given, unsigned nth, struct cache_path *place);

#endif
