/* SPDX-License-Identifier: MIT */
/* What a scan found, kept by the content that was scanned, so that the next run need not disassemble. */
#ifndef HYPERVISOR_SCAN_CACHE_H
#define HYPERVISOR_SCAN_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "cache/scan_key.h"

/**
 * Gets what a scan of this content once found, unchecked, in memory for the caller to free. 0, or -1 when the cache
 * does not know it.
 */
int scan_cache_get(const struct scan_key *key, enum scan_cache_kind kind, void **records, size_t *count);

/** Keeps a result, also an empty one; the keeper does it, if there is one. A failure only costs time later. */
void scan_cache_put(const struct scan_key *key, enum scan_cache_kind kind, const void *records, size_t count);

/** Notes that a result is in use, as cache_touch does. */
void scan_cache_touch(const struct scan_key *key, enum scan_cache_kind kind);

#endif
