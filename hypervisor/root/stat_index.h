/* SPDX-License-Identifier: MIT */
/* Remembers the hashes of files by what stat(2) says of them, so that files which have not changed since are not
 * read again. */
#ifndef HYPERVISOR_STAT_INDEX_H
#define HYPERVISOR_STAT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "guest/digest.h"

/** One file: a new content gives a new size, time or inode. */
struct stat_index_entry {
	uint64_t dev, ino, size;
	int64_t mtime_ns, ctime_ns;
	uint64_t mode;
	uint8_t hash[DIGEST_BYTES];
};

struct stat_index {
	struct stat_index_entry *old; /**< what was loaded, sorted by (dev, ino) */
	size_t old_count;
	struct stat_index_entry *seen; /**< what this walk has met, to be stored */
	size_t seen_count, seen_room;
	bool changed; /**< seen differs from old */
};

/** Loads the index that the cache keeps for this directory or file; empty when there is none or it is damaged. */
void stat_index_load(struct stat_index *index, int cache, const struct stat *of);

/** The hash of a file as it was when its stat was the same, or NULL. What is found counts as met. */
const uint8_t *stat_index_find(struct stat_index *index, const struct stat *st);

/**
 * Notes a hash that was just computed. A file that was changed within the last seconds is left out: it could change
 * once more without a new time stamp.
 */
void stat_index_add(struct stat_index *index, const struct stat *st, const uint8_t hash[DIGEST_BYTES]);

/** Forgets what was met and takes it for what was loaded; for a second walk. */
void stat_index_again(struct stat_index *index);

/** Stores what was met when it is not what was loaded. A failure only costs time later. */
void stat_index_store(struct stat_index *index, int cache, const struct stat *of);

/** Frees the entries; what was not stored is lost. */
void stat_index_fini(struct stat_index *index);

#endif
