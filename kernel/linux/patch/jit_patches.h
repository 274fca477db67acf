/* SPDX-License-Identifier: MIT */
/* Patches in code that a program makes at run time: kind, place and original bytes. Each address space has a list. It
 * may have entries of pages that are gone, but not of pages that replaced them. */
#ifndef KERNEL_LINUX_PATCH_JIT_PATCHES_H
#define KERNEL_LINUX_PATCH_JIT_PATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/code.h"
#include "abi/stats.h"
#include "kernel/arch/direct_map.h"
#include "kernel/linux/patch/jit_cleared.h"
#include "kernel/linux/patch/jit_doubts.h"

struct jit_patch {
	uint64_t address;
	uint8_t kind;   /**< enum trap_kind, or CODE_PAUSE */
	uint8_t length; /**< length of the instruction */
	bool is_out;    /**< the page is data at present; if the bytes are unchanged when it becomes code, it is an
	                   instruction again */
	uint8_t bytes[CODE_INSTRUCTION_MAX]; /**< the original instruction; CODE_TRAP replaces its first byte */
};

/** The patches of an address space. The functions work on those of the current one (linux_space.h). */
struct jit_patches {
	struct jit_patch *list; /**< sorted by address */
	size_t count, room;
	bool is_used; /**< the program has made code, even if nothing in it was patched */
	struct jit_doubts doubts;
	struct jit_cleared *cleared; /**< NULL at first, also in a copy */
};

/** The patches of the current address space. */

/** Counts an event of STATS_CODE_LIST for --summary. */
static inline void jit_patches_count(unsigned what)
{
	((struct run_stats *)phys_to_virt(LAYOUT_STATS))->code[what]++;
}

/** Copies them for another address space; the copy must be freed even after an error. Returns 0 or -ENOMEM. */
int jit_patches_copy(struct jit_patches *copy);

/** Frees the patches of another address space. */
void jit_patches_free(struct jit_patches *patches);

/** The patch at an address, or NULL. */
const struct jit_patch *jit_patches_at(uint64_t address);

/** Restores the original bytes of all patches that overlap a page. */
void jit_patches_undo(uint64_t page);

/** Copies bytes of the program, with the original bytes in place of patches. */
void jit_patches_original(void *to, uint64_t address, size_t bytes);

/** Scans a page that is about to be executed from an address in it on, with the code before and after it, and patches
 * instructions that must not run unchanged. Ends the run without memory. Returns whether the page also has doubtful
 * bytes, which may be such instructions. */
bool jit_patches_find(uint64_t page, uint64_t executed);

#endif
