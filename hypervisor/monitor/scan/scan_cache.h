/* SPDX-License-Identifier: MIT */
/* Caches results of scans by the scanned content, so that the next run need not disassemble. */
#ifndef HYPERVISOR_SCAN_CACHE_H
#define HYPERVISOR_SCAN_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "cache/scan_key.h"

/**
 * Gets the result of an earlier scan of this content, unchecked. The caller frees *records. Returns 0, or -1 if the
 * cache does not have it.
 */
int scan_cache_get(const struct scan_key *key, enum scan_cache_kind kind, void **records, size_t *count);

/** Stores a result, which may be empty; through the keeper, if there is one. A failure only costs time later. */
void scan_cache_put(const struct scan_key *key, enum scan_cache_kind kind, const void *records, size_t count);

/** Marks a result as used, as cache_touch does. */
void scan_cache_touch(const struct scan_key *key, enum scan_cache_kind kind);

#endif
