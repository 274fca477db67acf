/* SPDX-License-Identifier: MIT */
/* Kernel heap: size classes over frames and blocks. Its addresses are in the direct map. */
#ifndef KERNEL_MM_KMALLOC_H
#define KERNEL_MM_KMALLOC_H

#include <stddef.h>

/** Uninitialised memory aligned to 16 bytes (to a page when bytes is a multiple of a page), or NULL. */
void *kmalloc(size_t bytes);

/** Zeroed memory, or NULL. */
void *kzalloc(size_t bytes);

/** Grows or shrinks, keeping the contents. NULL without memory; the old memory is then intact. */
void *krealloc(void *memory, size_t bytes);

/** Frees memory; takes NULL. */
void kfree(void *memory);

#endif
