/* SPDX-License-Identifier: MIT */
/* Copies of host files in the cache, made and hashed once, so that runs can map them. A copy is found by what stat(2)
 * says of the original: device, inode, size and times. Whoever looks for one has opened the original, so a copy is
 * worthless to a user who may not read it. */
#ifndef HYPERVISOR_CONTENT_STORE_H
#define HYPERVISOR_CONTENT_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "cache/cache_seal.h"
#include "guest/digest.h"

#define CONTENT_NAME_BYTES 64

/** How a copy is recognised later. */
struct content_seal {
	char name[CONTENT_NAME_BYTES]; /**< in the cache; empty: no copy */
	struct cache_seal seal;
};

/** A copy in the cache. */
struct stored_content {
	int fd;                     /**< open for reading; the caller closes it */
	uint8_t hash[DIGEST_BYTES]; /**< SHA-256 of the content */
	uint64_t keyed[2];          /**< XXH3-128 by the cache's secret: low, high */
	struct content_seal copy;
	bool is_to_be_touched; /**< content_store_touch would do something */
};

/**
 * The two hashes of a content, of which the parts are added in order; one content at a time. content_sums_end sets
 * keyed[], and hash[] if content_sums_begin was asked for it.
 */
void content_sums_begin(bool wants_hash);
void content_sums_add(const void *data, size_t bytes);
void content_sums_end(uint8_t hash[DIGEST_BYTES], uint64_t keyed[2]);

/** Finds the copy of an open file. Returns 0, or -1 if the cache has no copy, or has one that something changed. */
int content_store_find(int original, struct stored_content *found);

/** Whether a copy is as it was when it was found. One that was removed meanwhile, or replaced by another, is. */
bool content_store_is_whole(const struct content_seal *copy);

/**
 * Copies an open file into the cache, unless it was changed less than two seconds ago: its times could then stay the
 * same at the next change. A failure only costs time later. Only the keeper calls this.
 */
void content_store_add(int original);

/** Marks the copy of an open file as used, as cache_touch does. Only the keeper calls this. */
void content_store_touch(int original);

#endif
