/* SPDX-License-Identifier: MIT */
/* An address space: its page tables and the list of what they map. A native image has one; each process of a Linux
 * program may have its own (kernel/linux/memory/linux_space.h). */
#ifndef KERNEL_MM_SPACE_H
#define KERNEL_MM_SPACE_H

#include <stdint.h>

#include "kernel/mm/brk.h"
#include "kernel/mm/mappings.h"

struct space {
	uint64_t top; /**< guest-physical address of the root of its page tables */
	struct mappings mappings;
	struct brk brk; /**< the heap */
};

/** The address space on which the functions of mm/ work: that of the running process, or the one that pagetable_edit
 * has selected. */
extern struct space *space_current;

#endif
