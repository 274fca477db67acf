/* SPDX-License-Identifier: MIT */
/* Patching of Linux programs' code: system calls become jumps, and instructions that must not run unchanged become
 * traps (abi/code.h). Only the copies in executable mappings change, never the file. */
#ifndef KERNEL_LINUX_PATCH_PATCH_H
#define KERNEL_LINUX_PATCH_PATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/code.h"
#include "abi/linux_view.h"

struct inode;
struct trap_frame;
struct trap_site;

/** The files whose code was mapped, newest first; files are never removed. */
extern struct view_file *patch_files;

/** Finds the place in a file of an address in code that was patched. Sets *file to the address of its struct view_file,
 * and *offset. Returns false if the address shows no such file. */
bool patch_place(uint64_t address, uint64_t *file, uint64_t *offset);

/** personality.exec_check: patches files' code that has become executable in a range. Code made at run time is scanned
 * when it is executed (jit_pages.h). */
void patch_exec_check(uint64_t address, uint64_t bytes);

/** personality.exec_detach: pages of the file's own contents that have no patch get no copy, nor do those of a host
 * file that is no ELF file: they get it when they are executed or written to. */
int patch_exec_detach(uint64_t address, uint64_t bytes);

/** personality.exec_is_plain */
bool patch_is_plain(const void *inode, uint64_t first, uint64_t count);

/** Restores the file's bytes in a patched page, and in those neighbours that are patched together with it. */
void patch_undo(uint64_t page);

/** The first CODE_SEED of a file from an offset on, as found when its code was last mapped. NULL when no seed follows,
 * or when the file was written to since. */
const struct code_patch *patch_next_seed(const struct inode *inode, uint64_t offset);

/** personality.emulate_site: the patched instruction at an address, in a file or in code made at run time. */
const struct trap_site *patch_site(uint64_t address);

/** personality.emulate_own and emulate_refused. */
bool patch_emulate(struct trap_frame *frame);
bool patch_emulate_refused(struct trap_frame *frame);

#endif
