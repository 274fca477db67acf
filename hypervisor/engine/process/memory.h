/* SPDX-License-Identifier: MIT */
/* Memory that the monitor shares with the guest's processes. */
#ifndef ENGINE_PROCESS_MEMORY_H
#define ENGINE_PROCESS_MEMORY_H

#include "engine/engine.h"
#include "guest/host_memory.h"

/** Where a file of guest memory is. */
enum process_memory_kind {
	PROCESS_MEMORY_TMPFS,     /**< a tmpfs with huge pages, made as root */
	PROCESS_MEMORY_NAMESPACE, /**< the same, made in a user namespace */
	PROCESS_MEMORY_MEMFD,     /**< memfd_create(2): huge pages only where the host's administrator wants them */
};

/** Makes an empty file for guest memory, the best that this host allows. A descriptor, or a negative errno. */
int process_memory_file(enum process_memory_kind *kind);

/**
 * Memory of a file without a name: in huge pages where the host allows it. As host_memory_reserve. The file is kept
 * when the memory is released, and used again for the next reservation of that size, which then needs no further
 * rights.
 */
host_memory_reserve process_memory_reserve;

/** The files that are kept or in use. Returns how many. */
unsigned process_memory_files(int files[ENGINE_FDS_MAX]);

/** Closes those that are not in use. */
void process_memory_close(void);

#endif
