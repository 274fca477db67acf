/* SPDX-License-Identifier: MIT */
/* Memory that the monitor shares with the guest's processes. */
#ifndef ENGINE_PROCESS_MEMORY_H
#define ENGINE_PROCESS_MEMORY_H

#include "engine/engine.h"
#include "guest/host_memory.h"

/** The kind of file system that holds guest memory. */
enum process_memory_kind {
	PROCESS_MEMORY_TMPFS,     /**< a tmpfs with huge pages, made as root */
	PROCESS_MEMORY_NAMESPACE, /**< the same, made in a user namespace */
	PROCESS_MEMORY_MEMFD,     /**< memfd_create(2): huge pages only if the host's administrator enabled them */
};

/**
 * Makes an empty file for guest memory, of the best kind that this host allows. Returns a descriptor or a negative
 * errno.
 */
int process_memory_file(enum process_memory_kind *kind);

/**
 * A host_memory_reserve that takes memory of an unnamed file, in huge pages if the host allows it. Releasing the memory
 * keeps the file for the next reservation of the same size, which then needs no further rights.
 */
host_memory_reserve process_memory_reserve;

/** Lists the files that are kept or in use. Returns their number. */
unsigned process_memory_files(int files[ENGINE_FDS_MAX]);

/** Closes the files that are not in use. */
void process_memory_close(void);

#endif
