/* SPDX-License-Identifier: MIT */
/* The user's cache directory, for files that can be made again from their inputs. It affects only how long things take.
 */
#ifndef HYPERVISOR_CACHE_H
#define HYPERVISOR_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#define CACHE_TEMPORARY_BYTES 48
#define CACHE_TEMPORARY ".temporary-" /* prefix of the names of temporary files */

/** Limits of the cache. */
struct cache_limits {
	uint64_t bytes; /**< on disk */
	int64_t age_s;  /**< seconds since an entry was last used */
};

/** Limits the cache to a size (value_size), instead of the usual 4 GiB, also for the keeper that is started
 * afterwards. Returns 0 or a negative errno. */
int cache_limit(const char *size);

/** Prunes the cache to the limits that hold, after `bytes` were added to it: at once if this process has added 1/64 of
 * the limit since, else at most once an hour. */
void cache_keep_limits(int cache, uint64_t bytes);

/**
 * Uses this directory as the cache, instead of those from the environment; "" means no cache. The caller keeps the
 * string.
 */
void cache_use(const char *path);

/**
 * Opens the cache, and creates it if needed: at the first place of cache_path_find where it can be. An empty
 * $EREMITE_CACHE means no cache. Returns a descriptor, which the caller closes, or -1 if there is no cache.
 */
int cache_open(void);

/**
 * Opens the cache for the rest of the process's life; cache_open then returns copies of this descriptor. Called before
 * the process is confined.
 */
void cache_hold(void);

/** Returns the descriptor that cache_hold has opened, or -1. */
int cache_held(void);

#define CACHE_SECRET_BYTES 192 /* size of a secret for XXH3 */

/**
 * Returns the cache's secret, which keys the hashes of scanned programs. Without knowing it, nobody can make another
 * program with the same hash. Guests never see it (host_tree_hide). Creates it if the cache has none; without a cache
 * the secret is private to this process. The first call must come before the process is confined.
 */
const uint8_t *cache_secret(void);

/** Returns the real path of the cache, or "" without a cache, and the attributes of its secret, for host_tree_hide. */
const char *cache_place(struct stat *secret);

/**
 * Creates an empty file for reading and writing in the cache. If that fails or cache is -1, creates it in $TMPDIR or
 * /tmp, already unlinked, and makes name[] empty. Otherwise name[] gets its name for the functions below, or a mark
 * that it is unnamed. Returns a descriptor or a negative errno. A named file is locked (flock(2)) while the descriptor
 * is open; cache_prune recognises abandoned files by the missing lock.
 */
int cache_temporary(int cache, char name[CACHE_TEMPORARY_BYTES]);

/**
 * cache_rename gives a temporary file its name, replacing an existing file; it returns 0 or a negative errno.
 * cache_remove removes a temporary file.
 */
int cache_rename(int cache, const char *temporary, int fd, const char *name);
void cache_remove(int cache, const char *temporary);

/** Marks an open file of the cache as used, for cache_prune. The mark is accurate to a day. */
void cache_touch(int fd);

/** Whether cache_touch would do anything. */
bool cache_is_to_be_touched(int fd);

/**
 * Removes abandoned temporary files and files that were not used for limits->age_s. Then removes the least recently
 * used files until the rest takes at most limits->bytes. Touches only files with names that eremite gives. Runs that
 * use a removed file continue, because an open file stays. Unless `now` is set, does this at most once an hour.
 */
void cache_prune(int cache, const struct cache_limits *limits, bool now);

#endif
