/* SPDX-License-Identifier: MIT */
/* The hashes of contents of host files, or of parts of them, and those that the cache has (docs/cache.md). A part is
 * found there by what stat(2) says of its file: file system, inode, size and times. The keeper fills the cache, the
 * monitor only looks. */
#ifndef HYPERVISOR_CONTENT_SUMS_H
#define HYPERVISOR_CONTENT_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/digest.h"

/** The hashes of one content. */
struct content_sums {
	uint8_t hash[DIGEST_BYTES]; /**< SHA-256 */
	bool has_keyed;
	uint64_t keyed[2]; /**< with has_keyed: XXH3-128 by the cache's secret: low, high */
};

/** A part of an open file. */
struct content_part {
	int file;
	uint64_t start, bytes;
};

/**
 * Compute the hashes of a content, of which the parts are added in order; one content at a time. content_sums_end sets
 * keyed[], and hash[] if content_sums_begin was asked for it.
 */
void content_sums_begin(bool wants_hash);
void content_sums_add(const void *data, size_t bytes);
void content_sums_end(struct content_sums *sums);

/** Whether a file was changed so lately that a further change may leave its times as they are. */
bool content_is_young(const struct stat *st);

/** Finds the hashes of a part in the cache. Returns false if the cache does not have them. Sets *is_to_be_touched if
 * content_sums_touch would do something. */
bool content_sums_find(const struct content_part *part, struct content_sums *sums, bool *is_to_be_touched);

/** Hashes a part, and writes the hashes to the cache. Writes nothing if the file is young, if it changes meanwhile, or
 * if the cache cannot be written. Only the keeper calls it. */
void content_sums_keep(const struct content_part *part);

/** Compares the SHA-256 of a part with `hash`, and does what content_sums_keep does. Returns 0; -EUCLEAN, if it
 * differs; or -EIO, if the part cannot be read. Only the keeper calls it. */
int content_sums_check(const struct content_part *part, const uint8_t hash[DIGEST_BYTES]);

/** Marks the hashes of a part as used, for cache_prune. Only the keeper calls it. */
void content_sums_touch(const struct content_part *part);

#endif
