/* SPDX-License-Identifier: MIT */
/* Everything about a file's code on which its patches depend, before stores are drawn from it (--preempt sites). It is
 * the same for each number of stores and each seed, and the cache keeps it. */
#ifndef HYPERVISOR_CODE_ANALYSIS_H
#define HYPERVISOR_CODE_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "code/code_scan.h"
#include "code/code_stores.h"
#include "code/code_waits.h"

struct code_analysis {
	struct code_scan scan;     /**< the patches if no store is drawn */
	struct code_waits waits;   /**< loops that wait */
	struct code_stores stores; /**< what can be drawn; none if they were not wanted */
};

/**
 * Analyses an untrusted ELF file: with `atomics`, atomic instructions are decision points; with `has_stores`, the list
 * of stores is made, too. Returns 0 and a result, which code_analysis_fini frees, or what code_scan_elf returns.
 */
int code_analysis_make(const uint8_t *file, uint64_t bytes, bool atomics, bool has_stores,
                       struct code_analysis *analysis, struct error *error);

/**
 * Writes an analysis as records for the cache (SCAN_CACHE_RECORD_BYTES each), without note and undecided bytes. Returns
 * them in allocated memory, with their number, or NULL if memory is out or there are too many.
 */
void *code_analysis_pack(const struct code_analysis *analysis, size_t *count);

/**
 * Reads untrusted records of a file of `bytes` bytes. Returns whether they are possible; only then code_analysis_fini
 * is needed. Wrong records that are possible lead to wrong patches, but to no access outside the file.
 */
bool code_analysis_unpack(const void *records, size_t count, uint64_t bytes, struct code_analysis *analysis);

/** Frees an analysis; accepts an all-zero one. */
void code_analysis_fini(struct code_analysis *analysis);

#endif
