/* SPDX-License-Identifier: MIT */
/* The memory of a process in a core file. Its address space is the current one. */
#ifndef KERNEL_LINUX_CORE_CORE_MEMORY_H
#define KERNEL_LINUX_CORE_CORE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/mm/mappings.h"

/** A program header of memory: a mapping, or a part of one that is large and sparse. */
struct core_segment {
	uint64_t start, end;
	uint64_t file_bytes; /**< from `start` on; the rest is not in the file: zeros, or a file's contents */
	int prot;
};

/** Where core_memory_next is; all zero at first. */
struct core_walk {
	size_t index; /**< of the mapping */
	uint64_t at;  /**< where its next segment starts; 0: at its start */
	size_t cuts;  /**< segments that are parts of mappings */
};

/** Finds the next segment. Returns false after the last one. */
bool core_memory_next(struct core_walk *walk, struct core_segment *segment);

/** Adds the contents of a segment to the stream, as the program would read them: with the original bytes of patched
 * code. */
void core_memory_add(const struct core_segment *segment);

#endif
