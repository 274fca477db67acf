/* SPDX-License-Identifier: MIT */
/* Address spaces of processes. The one in use is the global state of kernel/mm; the others wait here. */
#ifndef KERNEL_LINUX_MEMORY_SPACE_H
#define KERNEL_LINUX_MEMORY_SPACE_H

#include <stdint.h>

#include "kernel/linux/memory/memory_layout.h"
#include "kernel/linux/patch/jit_patches.h"
#include "kernel/linux/patch/stub.h"
#include "kernel/mm/brk.h"
#include "kernel/mm/mappings.h"

/** Bytes of memory. What is resident is what may be accessed: when a page comes is not for programs to see. */
struct space_extent {
	uint64_t mapped, resident;
};

struct space {
	struct space *next;
	unsigned refs; /**< processes that have it: more than one after vfork(2) */
	uint64_t top;  /**< its page tables */
	struct mappings mappings;
	struct brk brk;
	struct memory_layout layout;
	struct jit_patches jit_patches;
	struct stub_areas stubs;
	struct space_extent peak; /**< the most that there was when something was unmapped */
};

/** The address space in use. */
extern struct space *space_current;

/** Begins with the one that the kernel has, in which no process has anything. */
void space_init(void);

/** A copy of the one in use, with its memory (fork(2)). NULL without memory. */
struct space *space_copy(void);

/** An empty one. NULL without memory. */
struct space *space_create(void);

/** Changes to another one. */
void space_use(struct space *space);

/** What a space has now, and the most that it has had. */
struct space_extent space_extent(const struct space *space);
struct space_extent space_peak(const struct space *space);

/** Gives a reference back; with the last one its mappings go, and all of it once another one is in use. */
void space_put(struct space *space);

#endif
