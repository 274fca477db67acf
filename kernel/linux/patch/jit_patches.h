/* SPDX-License-Identifier: MIT */
/* Patches in code that a program has made as it runs: what they are, where, and what was there before. One list for
 * each address space; it may tell of pages that are no more, but not of what has come in their place. */
#ifndef KERNEL_LINUX_PATCH_JIT_PATCHES_H
#define KERNEL_LINUX_PATCH_JIT_PATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/code.h"
#include "kernel/linux/patch/jit_doubts.h"

struct jit_patch {
	uint64_t address;
	uint8_t kind;   /**< enum trap_kind, or CODE_PAUSE */
	uint8_t length; /**< of the instruction */
	bool is_out;    /**< the page is data for now; if it is still the same then, it is an instruction again */
	uint8_t bytes[CODE_INSTRUCTION_MAX]; /**< the instruction; CODE_TRAP takes the place of the first one */
};

struct jit_patches {
	struct jit_patch *list; /**< by address */
	size_t count, room;
	bool is_used; /**< the program has made code, even if nothing had to be patched */
	struct jit_doubts doubts;
};

/** Those of the address space in use. */
extern struct jit_patches jit_patches;

/** A copy for another address space, to be freed even if it fails. 0 or -ENOMEM. */
int jit_patches_copy(struct jit_patches *copy);

/** Frees those of another address space. */
void jit_patches_free(struct jit_patches *patches);

/** The patch at an address, or NULL. */
const struct jit_patch *jit_patches_at(uint64_t address);

/** Puts the original bytes back of all that lies in or reaches into a page. */
void jit_patches_undo(uint64_t page);

/** Copies bytes of the program, as they are without patches. */
void jit_patches_original(void *to, uint64_t address, size_t bytes);

/**
 * Looks through a page that is to be executed from an address in it on, together with the code before and behind it,
 * and patches what must not run as it is. Ends the run when there is no memory. Returns whether it holds what may have
 * to be patched, too, which nobody can tell.
 */
bool jit_patches_find(uint64_t page, uint64_t executed);

#endif
