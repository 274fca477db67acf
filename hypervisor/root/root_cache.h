/* SPDX-License-Identifier: MIT */
/* Root images in the cache: named by what they were made of, and sealed, so that one which was changed is not used. */
#ifndef HYPERVISOR_ROOT_CACHE_H
#define HYPERVISOR_ROOT_CACHE_H

#include <stdint.h>

#include "guest/digest.h"

/** The image made of the tree with this key, untouched since. Returns a descriptor for the caller to close, or -1. */
int root_cache_find(int cache, const uint8_t key[DIGEST_BYTES]);

/**
 * Puts a complete image, a temporary file of the cache, under its name: on disk first, read-only, and sealed.
 * 0 or a negative errno; then it is still a temporary file.
 */
int root_cache_add(int cache, const char *temporary, int fd, const uint8_t key[DIGEST_BYTES]);

#endif
