/* SPDX-License-Identifier: MIT */
/* Remembers the hashes of files by their stat(2) attributes, so that unchanged files are not read again. */
#ifndef HYPERVISOR_STAT_INDEX_H
#define HYPERVISOR_STAT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/digest.h"

/** Attributes and hash of a file. A file whose contents change also changes in size, time or inode. */
struct stat_index_entry {
	uint64_t dev, ino, size;
	int64_t mtime_ns, ctime_ns;
	uint64_t mode;
	uint8_t hash[DIGEST_BYTES];
};

struct stat_index {
	struct stat_index_entry *old; /**< entries that were loaded, sorted by (dev, ino) */
	size_t old_count;
	struct stat_index_entry *seen; /**< entries of files that this walk has found, to be stored */
	size_t seen_count, seen_room;
	bool changed;         /**< seen differs from old */
	uint64_t dev, volume; /**< the file system of the last file, and its number (volume_of) */
	bool tells;           /**< times tell whether a file of it has changed */
};

/** Loads the cached index for this directory or file; it is empty if there is none or it is damaged. */
void stat_index_load(struct stat_index *index, int cache, const struct stat *of);

/** Returns the hash that a file had with the same attributes, or NULL. Adds the entry to `seen`. `at` is the file, or
 * the directory that it is in. */
const uint8_t *stat_index_find(struct stat_index *index, int at, const struct stat *st);

/**
 * Adds a hash that was just computed of the file that was not found last. Skips a file that was modified within the
 * last seconds, because it could change again without a new time stamp.
 */
void stat_index_add(struct stat_index *index, const struct stat *st, const uint8_t hash[DIGEST_BYTES]);

/** Uses the entries in `seen` as those in `old` and empties `seen`, for a second walk. */
void stat_index_again(struct stat_index *index);

/** Stores `seen` if it differs from `old`. A failure only costs time later. */
void stat_index_store(struct stat_index *index, int cache, const struct stat *of);

/** Frees the entries without storing them. */
void stat_index_fini(struct stat_index *index);

#endif
