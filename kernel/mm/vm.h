/* SPDX-License-Identifier: MIT */
/* The address space: which ranges are mapped, how, and onto what. mmap(2) semantics; memory is populated when
 * it becomes accessible, never at a fault. */
#ifndef KERNEL_MM_VM_H
#define KERNEL_MM_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Protection, with the values of mmap(2). */
#define VM_READ 1
#define VM_WRITE 2
#define VM_EXEC 4

/** At most this many mappings at once, as Linux's vm.max_map_count has it. */
#define VM_MAPPINGS_MAX 65530

/** Starts with an empty map: only [LAYOUT_STACK_TOP - LAYOUT_STACK_MAX, LAYOUT_MMAP_END) is ever mapped here. */
void vm_init(void);

/** Maps fresh zeroed memory at exactly [address, address + bytes), whole pages, now unmapped. 0 or -ENOMEM. */
int vm_map(uint64_t address, uint64_t bytes, int prot);

/** Maps frames that belong to somebody else, one guest-physical address a page. 0 or -ENOMEM. */
int vm_map_frames(uint64_t address, const uint64_t *frames, size_t count, int prot);

/** Unmaps whatever is mapped in [address, address + bytes). 0, or -ENOMEM when a page cannot be split. */
int vm_unmap(uint64_t address, uint64_t bytes);

/** Changes the protection of a range. -ENOMEM when it is not mapped without gaps (then only up to the first), or a
 * page cannot be had or split. */
int vm_protect(uint64_t address, uint64_t bytes, int prot);

/** The lowest free range of this many bytes in [low, high), or 0. From 2 MiB on it is aligned to 2 MiB. */
uint64_t vm_find_gap(uint64_t bytes, uint64_t low, uint64_t high);

/** Whether all of [address, address + bytes) is unmapped. */
bool vm_is_free(uint64_t address, uint64_t bytes);

/** Protection of the mapping at an address; 0 when there is none. */
int vm_protection(uint64_t address);

/** Whether all of it is mapped. */
bool vm_is_mapped(uint64_t address, uint64_t bytes);

/**
 * Moves a mapping's pages to a free range, for mremap. 0 or -ENOMEM; the old range is unmapped.
 */
int vm_move(uint64_t from, uint64_t to, uint64_t bytes);

/** Replaces the contents of whole mapped pages by zeros (MADV_DONTNEED). */
void vm_clear(uint64_t address, uint64_t bytes);

#endif
