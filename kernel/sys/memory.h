/* SPDX-License-Identifier: MIT */
/* What the memory calls share. */
#ifndef KERNEL_SYS_MEMORY_H
#define KERNEL_SYS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/layout.h"

/** No mapping is larger. */
#define MEMORY_SPACE 0x7ffffffff000UL

/** A free range of so many bytes for a mapping whose address the program leaves open, 0: there is none. Native images
 * and Linux programs have theirs in different places. */
uint64_t memory_gap(uint64_t bytes);

struct file;

/** The object of shared anonymous memory, open; NULL where no other process could have it. 0 or a negative errno. */
int memory_shared(uint64_t bytes, struct file **object);

/** Whole pages; 0 when they are too many for 64 bits. */
static inline uint64_t memory_round(uint64_t bytes)
{
	return (bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

/** Whether RLIMIT_AS allows so many bytes more where `replaced` are given up, and RLIMIT_DATA if they are private and
 * writable. */
bool memory_allowed(uint64_t bytes, uint64_t replaced, bool writable);

/** mprotect(2), but for PROT_GROWSDOWN and PROT_GROWSUP, which are refused as any that is not known. */
long memory_protect(void *addr, unsigned long length, int prot);

/** mmap(2), with the protection that is given. */
long memory_map(void *addr, unsigned long length, int prot, int flags, int fd, long offset);

#endif
