/* SPDX-License-Identifier: MIT */
/* The user's cache directory: what can be made again from its inputs. Nothing depends on it but time. */
#ifndef HYPERVISOR_CACHE_H
#define HYPERVISOR_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#define CACHE_TEMPORARY_BYTES 48
#define CACHE_TEMPORARY ".temporary-" /* how their names begin */

/** How much is kept. */
struct cache_limits {
	uint64_t bytes; /**< on disk */
	int64_t age_s;  /**< since it was used last */
};

extern const struct cache_limits cache_limits;

/** The cache is this directory, whatever the environment says; "" is none. The string is the caller's. */
void cache_use(const char *path);

/**
 * Opens, making it when needed, $EREMITE_CACHE, or else eremite below $XDG_CACHE_HOME (XDG Base Directory
 * Specification) or ~/.cache. Returns a descriptor for the caller to close, or -1: there is no cache. An empty
 * $EREMITE_CACHE means none.
 */
int cache_open(void);

/** Opens it now for good: what cache_open returns from then on leads there. Before the process is confined. */
void cache_hold(void);

/** The descriptor that cache_hold has opened, or -1. */
int cache_held(void);

#define CACHE_SECRET_BYTES 192 /* what XXH3 takes as a secret */

/**
 * The cache's secret, by which programs whose code is scanned are summed: who does not know it cannot make another
 * program with the same sum. No guest is shown it (host_tree_hide). The cache gets one when it has none; where there is
 * no cache it is this process's alone. Called for the first time before the process is confined.
 */
const uint8_t *cache_secret(void);

/** Where the cache and its secret are, for host_tree_hide: the real path, or "" where there is no cache. */
const char *cache_place(struct stat *secret);

/**
 * Makes an empty file for reading and writing in the cache, or, when that fails or cache is -1, in $TMPDIR or /tmp,
 * already unlinked there. name[] becomes empty then, or else gets its name in the cache, for the functions below, or
 * stands for none. Returns a descriptor or a negative
 * errno. While the descriptor is open the file is locked (flock(2)): by that cache_prune knows one that was left
 * behind.
 */
int cache_temporary(int cache, char name[CACHE_TEMPORARY_BYTES]);

/** Gives a temporary file its name, replacing one of that name, or removes it. 0 or a negative errno. */
int cache_rename(int cache, const char *temporary, int fd, const char *name);
void cache_remove(int cache, const char *temporary);

/** Notes that the open file of the cache is in use, for cache_prune. Keeps the note exact to a day only. */
void cache_touch(int fd);

/** Whether cache_touch would do anything. */
bool cache_is_to_be_touched(int fd);

/**
 * Removes temporary files that nobody works on, what has not been used for limits->age_s, and then what was used least
 * recently, until the rest takes limits->bytes at the most. Only files with names that eremite gives are touched. Runs
 * that use them go on: an open file stays. Unless `now`, it is done once an hour at the most.
 */
void cache_prune(int cache, const struct cache_limits *limits, bool now);

#endif
