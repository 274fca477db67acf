/* SPDX-License-Identifier: MIT */
/* The memory layout of a Linux program: that of Linux 6.1 with ADDR_NO_RANDOMIZE. With a seed
 * other than 0 each part is moved by a distance drawn at execve(2), so that behaviour that depends on addresses depends
 * on the seed. */
#ifndef KERNEL_LINUX_MEMORY_MEMORY_LAYOUT_H
#define KERNEL_LINUX_MEMORY_MEMORY_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct file;

#define LINUX_STACK_TOP 0x7ffffffff000UL
#define LINUX_STACK_BYTES 0x800000UL /* the initial soft RLIMIT_STACK (Linux, _STK_LIM) */
#define LINUX_PIE 0x555555554000UL   /* load address of a position-independent program */

/* Limits of the distances, which are whole pages below them. Distances of program and heap are added; those of mappings
 * and stack are subtracted. */
#define LINUX_PIE_MOVES 0x10000000UL
#define LINUX_HEAP_MOVES 0x2000000UL
#define LINUX_MMAP_MOVES 0x10000000UL
#define LINUX_STACK_MOVES 0x4000000UL /* the stack stays above the highest mapping */

/** The places of an address space's parts. */
struct memory_layout {
	uint64_t program;   /**< start of a position-independent program */
	uint64_t heap_gap;  /**< bytes between the program and the heap */
	uint64_t mmap_top;  /**< mappings grow down from here */
	uint64_t stack_top; /**< end of the stack */
	uint64_t vdso;      /**< start of the vDSO */
};

/** Makes the layout for a program that is executed: the room below the stack for RLIMIT_STACK is between 128 MiB and
 * five sixths of the address space. Draws from the program's random numbers unless the seed is 0. */
void memory_layout_draw(struct memory_layout *layout);

/** personality.memory_gap: the highest free range below the stack. */
uint64_t memory_layout_gap(uint64_t bytes);

/** personality.memory_shared: a file without a name in /dev. */
int memory_layout_shared(uint64_t bytes, struct file **object);

/** personality.image_is_program and image_protect: no Linux program is in the image. */
bool memory_layout_is_image(uint64_t address, uint64_t bytes);
int memory_layout_protect_image(uint64_t address, uint64_t bytes, int prot);

#endif
