/* SPDX-License-Identifier: MIT */
/* Patching of Linux programs' code: system calls become jumps, and instructions that must not run as they are become
 * traps (abi/code.h). The file is not changed, but the copies that executable mappings show. */
#ifndef KERNEL_LINUX_PATCH_H
#define KERNEL_LINUX_PATCH_H

#include <stdint.h>

/** Patches the executable pages [address, address + bytes) of one mapping of a file, all of which are copies. */
void patch_mapping(uint64_t address, uint64_t bytes);

#endif
