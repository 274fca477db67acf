/* SPDX-License-Identifier: MIT */
/* The layout of a Linux program's memory: what Linux 6.1 does with ADDR_NO_RANDOMIZE and a stack of 8 MiB. */
#ifndef KERNEL_LINUX_MEMORY_H
#define KERNEL_LINUX_MEMORY_H

#define LINUX_STACK_TOP 0x7ffffffff000UL
#define LINUX_STACK_BYTES 0x800000UL
#define LINUX_MMAP_TOP 0x7ffff7fff000UL /* mappings grow down from here */
#define LINUX_PIE 0x555555554000UL      /* where a position-independent program lies */

#endif
