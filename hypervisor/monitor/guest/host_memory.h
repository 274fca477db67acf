/* SPDX-License-Identifier: MIT */
/* Memory of the host that an engine can show to a guest. */
#ifndef HYPERVISOR_HOST_MEMORY_H
#define HYPERVISOR_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct host_memory {
	uint8_t *base; /**< where the monitor has it mapped; NULL: none */
	uint64_t bytes;
	int file;      /**< the file that holds its pages, from offset 0; -1: anonymous */
	bool *is_used; /**< for a file that its owner keeps open: set to false on release; NULL: the file is closed on
	                  release */
};

/**
 * Reserves memory, lazily backed. Returns 0 or a negative errno. host_memory_release frees it. See struct engine_ops.
 */
typedef int host_memory_reserve(struct host_memory *memory, uint64_t bytes);

/** Reserves `bytes` bytes of address space, whole blocks of 2 MiB, aligned to a block, with a protection of mmap(2).
 * Returns NULL with errno. */
uint8_t *host_memory_blocks(uint64_t bytes, int protection);

/**
 * Makes a block of anonymous memory present, with its contents, if the host has a huge page for it. Linux 6.4 and later
 * lock only the block's mapping meanwhile. While madvise(2) or pread(2) have memory cleared, each mmap(2) of the
 * process waits.
 */
void host_memory_touch(uint8_t *block);

/** Anonymous memory, aligned to 2 MiB, in huge pages where the host has them. */
host_memory_reserve host_memory_anonymous;

/**
 * Maps the first `bytes` of a file, aligned to 2 MiB and shared with other processes. Takes over the descriptor on
 * success. Returns 0 or a negative errno.
 */
int host_memory_map_file(struct host_memory *memory, int file, uint64_t bytes);

/** Unmaps the memory, and closes its file or returns it to its owner; accepts memory without a base. */
void host_memory_release(struct host_memory *memory);

#endif
