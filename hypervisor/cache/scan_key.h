/* SPDX-License-Identifier: MIT */
/* The name of a scan's result in the cache, used by scans, and by the keeper, which writes the cache for them. */
#ifndef HYPERVISOR_SCAN_KEY_H
#define HYPERVISOR_SCAN_KEY_H

#include <stdint.h>

/** XXH3-128 of all that a scan's result depends on. */
struct scan_key {
	uint64_t low, high;
};

/** Kinds of results; all have records of SCAN_CACHE_RECORD_BYTES. */
enum scan_cache_kind {
	SCAN_CACHE_SITES,    /**< struct trap_site, of a native image */
	SCAN_CACHE_PATCHES,  /**< struct code_patch, of a Linux program */
	SCAN_CACHE_ASKED,    /**< parts of a struct host_asked_list, of a command line */
	SCAN_CACHE_ANALYSIS, /**< a packed struct code_analysis, of a Linux program */
	SCAN_CACHE_KINDS,
};

#define SCAN_CACHE_RECORD_BYTES 16
#define SCAN_CACHE_RECORDS_MAX (1UL << 24)

#endif
