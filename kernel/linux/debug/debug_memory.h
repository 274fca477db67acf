/* SPDX-License-Identifier: MIT */
/* The program's memory, seen without touching it: a page that is not there stays away. */
#ifndef KERNEL_LINUX_DEBUG_DEBUG_MEMORY_H
#define KERNEL_LINUX_DEBUG_DEBUG_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Whether the program's page at an address is there. */
bool debug_memory_is_there(uint64_t address);

/** Copies at most a page's bytes. Returns false if not all of them are there. */
bool debug_memory_peek(uint64_t address, void *to, size_t bytes);

#endif
