/* SPDX-License-Identifier: MIT */
/* The bytes of a core file on their way to the monitor, in order. What is sent twice, first only measured, needs no
 * memory in between. */
#ifndef KERNEL_LINUX_CORE_CORE_STREAM_H
#define KERNEL_LINUX_CORE_CORE_STREAM_H

#include <stddef.h>
#include <stdint.h>

/** Starts a file. With total 0 it is only measured, until core_stream_at has its size or that of a part. */
void core_stream_begin(uint64_t total);

/** The number of bytes so far. */
uint64_t core_stream_at(void);

/** Adds a copy of kernel memory. */
void core_stream_add(const void *from, size_t bytes);

/** Adds guest-physical memory, which stays as it is until core_stream_end. */
void core_stream_add_memory(uint64_t physical, uint64_t bytes);

/** Adds zeros, which are a hole in the file. */
void core_stream_add_hole(uint64_t bytes);

/** Adds zeros up to a multiple of a power of two. */
void core_stream_align(uint64_t to);

/** Notes that so many bytes of the file are zero because their contents could not be loaded. */
void core_stream_miss(uint64_t bytes);

/** Sends what is left. */
void core_stream_end(void);

#endif
