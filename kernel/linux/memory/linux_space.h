/* SPDX-License-Identifier: MIT */
/* Address spaces of processes: what the kernel of a native image has (kernel/mm/space.h), and what only Linux programs
 * need. */
#ifndef KERNEL_LINUX_MEMORY_LINUX_SPACE_H
#define KERNEL_LINUX_MEMORY_LINUX_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/linux/memory/memory_layout.h"
#include "kernel/linux/patch/jit_patches.h"
#include "kernel/linux/patch/stub.h"
#include "kernel/mm/space.h"

/** Bytes of memory. All accessible memory counts as resident: programs must not see when a page is populated. */
struct linux_space_extent {
	uint64_t mapped, resident, stack; /**< `stack`: what grows down */
};

struct linux_space {
	struct space base; /**< the common part; space_current points to it */
	struct linux_space *next;
	unsigned refs; /**< number of processes that use it: more than one after vfork(2) */
	struct memory_layout layout;
	struct jit_patches jit_patches;
	struct stub_areas stubs;
	struct linux_space_extent peak; /**< the maximum, updated when something is unmapped */
};

_Static_assert(offsetof(struct linux_space, base) == 0, "linux_space_self");

/** The current address space. */
static inline struct linux_space *linux_space_self(void)
{
	return (struct linux_space *)space_current;
}

/** Starts with the kernel's address space, in which no process has memory. */
void linux_space_init(void);

/** Copies the current address space, with its memory (fork(2)). NULL without memory. */
struct linux_space *linux_space_copy(void);

/** Makes an empty address space. NULL without memory. */
struct linux_space *linux_space_create(void);

/** Switches to another address space. */
void linux_space_use(struct linux_space *space);

/** The present size of a space, and its maximum so far. */
struct linux_space_extent linux_space_extent(const struct linux_space *space);
struct linux_space_extent linux_space_peak(const struct linux_space *space);

/** Stores a mapping of a space without the part that is mapped ahead for the heap, which the program does not see.
 * Returns whether anything is left. */
bool linux_space_shows(const struct linux_space *space, const struct mapping *map, struct mapping *seen);

/** The number of mappings of an object in all spaces, or only of those that are shared and may be written to. */
uint64_t linux_space_mappings_of(const void *object, bool writable);

/** personality.space_after. */
struct space *linux_space_after(const struct space *space);

/** personality.vm_zap_elsewhere. */
void linux_space_zap_elsewhere(const void *object, uint64_t from, uint64_t end, bool copies);

/** personality.vm_unmap: also updates the maximum of the current space. */
int linux_space_unmap(uint64_t address, uint64_t bytes);

/** Drops a reference. The last one unmaps everything; the rest is freed once another space is current. */
void linux_space_put(struct linux_space *space);

#endif
