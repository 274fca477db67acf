/* SPDX-License-Identifier: MIT */
/* What a scan found, kept by the content that was scanned, so that the next run need not disassemble. */
#ifndef HYPERVISOR_SCAN_CACHE_H
#define HYPERVISOR_SCAN_CACHE_H

#include <stdint.h>

#include "scan_code.h"

/** XXH3-128 of all that a scan's result depends on. */
struct scan_key {
	uint64_t low, high;
};

/**
 * Appends the sites that a scan of this content once found, unchecked, to an empty list. 0, or -1 when the cache does
 * not know it.
 */
int scan_cache_get(const struct scan_key *key, struct scan_sites *sites);

/** Keeps a result, also an empty one. A failure only costs time later. */
void scan_cache_put(const struct scan_key *key, const struct scan_sites *sites);

#endif
