/* SPDX-License-Identifier: MIT */
/* Patching of Linux programs' code: system calls become jumps, and instructions that must not run as they are become
 * traps (abi/code.h). The file is not changed, but the copies that executable mappings show. */
#ifndef KERNEL_LINUX_PATCH_PATCH_H
#define KERNEL_LINUX_PATCH_PATCH_H

#include <stdint.h>

#include "abi/code.h"
#include "abi/linux_view.h"

struct inode;

/** The files of which code was mapped, the last one first; none is ever taken out. */
extern struct view_file *patch_files;

/** Puts back what the file has in a page that is patched, and in what of its neighbours goes with that. */
void patch_undo(uint64_t page);

/**
 * The first CODE_SEED of a file from an offset on, as it was when code of it was last mapped; NULL when there is none,
 * or the file was written to since.
 */
const struct code_patch *patch_next_seed(const struct inode *inode, uint64_t offset);

#endif
