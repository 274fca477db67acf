/* SPDX-License-Identifier: MIT */
/* The layout of a Linux program's memory: what Linux 6.1 does with ADDR_NO_RANDOMIZE and a stack of 8 MiB. With another
 * seed than 0 each part is moved by a distance that is drawn at execve(2), so that what depends on addresses depends on
 * the seed. */
#ifndef KERNEL_LINUX_MEMORY_MEMORY_LAYOUT_H
#define KERNEL_LINUX_MEMORY_MEMORY_LAYOUT_H

#include <stdint.h>

#define LINUX_STACK_TOP 0x7ffffffff000UL
#define LINUX_STACK_BYTES 0x800000UL
#define LINUX_MMAP_TOP 0x7ffff7fff000UL /* mappings grow down from here */
#define LINUX_PIE 0x555555554000UL      /* where a position-independent program lies */

/* The distances are whole pages, less than these; the upper ones are added, the lower ones subtracted. */
#define LINUX_PIE_MOVES 0x10000000UL
#define LINUX_HEAP_MOVES 0x2000000UL
#define LINUX_MMAP_MOVES 0x10000000UL
#define LINUX_STACK_MOVES 0x4000000UL /* the stack stays above the highest mapping */

/** Where an address space has its parts. */
struct memory_layout {
	uint64_t program;   /**< a position-independent program begins */
	uint64_t heap_gap;  /**< bytes between the program and the heap */
	uint64_t mmap_top;  /**< mappings grow down */
	uint64_t stack_top; /**< the stack ends */
	uint64_t vdso;      /**< the vDSO begins */
};

/** The layout for a program that is executed. Draws from the program's random numbers unless the seed is 0. */
void memory_layout_draw(struct memory_layout *layout);

#endif
