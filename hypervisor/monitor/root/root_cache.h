/* SPDX-License-Identifier: MIT */
/* Root images in the cache. Each is named by the key of its tree, and sealed, so that a modified image is not used. */
#ifndef HYPERVISOR_ROOT_CACHE_H
#define HYPERVISOR_ROOT_CACHE_H

#include <stdint.h>

#include "base/digest.h"

/** Finds the unmodified image of the tree with this key. Returns a descriptor, which the caller closes, or -1. */
int root_cache_find(int cache, const uint8_t key[DIGEST_BYTES]);

/**
 * Makes a complete image, a temporary file of the cache, read-only, syncs it to disk, renames it to its name, and seals
 * it. Returns 0, or a negative errno; then it is still a temporary file.
 */
int root_cache_add(int cache, const char *temporary, int fd, const uint8_t key[DIGEST_BYTES]);

#endif
