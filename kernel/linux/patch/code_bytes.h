/* SPDX-License-Identifier: MIT */
/* Access to the bytes of code in memory, independent of their pages' rights. */
#ifndef KERNEL_LINUX_PATCH_CODE_BYTES_H
#define KERNEL_LINUX_PATCH_CODE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODE_INT3 0xcc

/** HLT, which ring 3 may not execute: replaces an instruction that traps. Unlike int3 it reaches the kernel without an
 * instruction of ring 0 (kernel/arch/gate.S). An invalid opcode would also do, but some hosts examine each one (KVM,
 * for instructions to emulate), which takes three times as long. */
#define CODE_TRAP 0xf4

/** The 4 KiB page-table entry of an address, or 0 when the address has none of its own. */
uint64_t code_page(uint64_t address);

/** The 4 KiB page-table entry of code at an address, also of an object's page; NULL if no code is mapped there. */
uint64_t *code_entry(uint64_t address);

/** Whether all pages of a range are a file's code that is not patched yet. */
bool code_is_fresh(uint64_t address, uint64_t end);

/** The byte at an address in an existing page of the program's own. */
const uint8_t *code_byte(uint64_t address);

/** Whether a page shows code or data: the program's own page, or one of an object. */
bool code_is_shown(uint64_t address);

/** Makes the program the only owner of a page (shared_frames.h), before a write. Ends the run without memory. */
void code_unshare(uint64_t page);

/** Maps memory at a free address for code of the kernel's that the program executes. code_put fills it, and code_settle
 * makes it code, which jit_pages.h does not scan. Returns 0 or -ENOMEM. */
int code_map(uint64_t address, uint64_t bytes);
void code_settle(uint64_t address, uint64_t bytes);

/** Writes that follow each other. The program's pages stay where they are meanwhile. */
struct code_writer {
	uint64_t address;      /**< of the next byte */
	uint64_t page_address; /**< of the page written to last */
	uint8_t *page;         /**< where the kernel sees it; NULL: nothing was written */
};

/** Copies to a page of the program's own, as code_put does, and advances the address. */
void code_put_next(struct code_writer *writer, const void *from, size_t bytes);

/** Copies to pages of the program's own, and from pages for which code_is_shown holds. */
void code_put(uint64_t address, const void *from, size_t bytes);
void code_get(void *to, uint64_t address, size_t bytes);

#endif
