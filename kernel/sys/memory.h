/* SPDX-License-Identifier: MIT */
/* Functions shared by the memory calls. */
#ifndef KERNEL_SYS_MEMORY_H
#define KERNEL_SYS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/layout.h"

/** Maximum size of a mapping in bytes. */
#define MEMORY_SPACE 0x7ffffffff000UL

/** Rounds up to whole pages; 0 when the result exceeds 64 bits. */
static inline uint64_t memory_round(uint64_t bytes)
{
	return (bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

/** Whether RLIMIT_AS allows this many more bytes after `replaced` bytes are freed, and RLIMIT_DATA too if they are
 * private and writable. */
bool memory_allowed(uint64_t bytes, uint64_t replaced, bool writable);

/** personality.memory_grow: extends a mapping that grows down to the address, as Linux does: within RLIMIT_STACK and
 * RLIMIT_AS, and not into the guard above the mapping below (VM_GROW_GUARD). Returns whether it did. */
bool memory_grow(uint64_t address);

/** mprotect(2), except that PROT_GROWSDOWN and PROT_GROWSUP are refused as unknown flags. */
long memory_protect(void *addr, unsigned long length, int prot);

/** mmap(2), with exactly the given protection. */
long memory_map(void *addr, unsigned long length, int prot, int flags, int fd, long offset);

#endif
