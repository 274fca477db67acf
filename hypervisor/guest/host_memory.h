/* SPDX-License-Identifier: MIT */
/* Memory of the host that an engine can show to a guest. */
#ifndef HYPERVISOR_HOST_MEMORY_H
#define HYPERVISOR_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct host_memory {
	uint8_t *base; /**< where the monitor has it mapped; NULL: there is none */
	uint64_t bytes;
	int file;      /**< the file whose pages it is, from its beginning on; -1: it is anonymous */
	bool *is_used; /**< of a file that its owner keeps open: becomes false on release; NULL: it is closed then */
};

/** Reserves memory, lazily backed. 0, or a negative errno. host_memory_release frees it. See struct engine_ops. */
typedef int host_memory_reserve(struct host_memory *memory, uint64_t bytes);

/** Anonymous memory, aligned to 2 MiB, in huge pages where the host has them. */
host_memory_reserve host_memory_anonymous;

/**
 * Maps the first `bytes` of a file, aligned to 2 MiB, to be shared with other processes. Takes the descriptor over
 * when it succeeds. 0, or a negative errno.
 */
int host_memory_map_file(struct host_memory *memory, int file, uint64_t bytes);

/** Unmaps it and closes its file, or gives it back; takes one that has no base. */
void host_memory_release(struct host_memory *memory);

#endif
