/* SPDX-License-Identifier: MIT */
/* The bytes of code as they lie in memory, whatever rights their pages have. */
#ifndef KERNEL_LINUX_PATCH_CODE_BYTES_H
#define KERNEL_LINUX_PATCH_CODE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODE_INT3 0xcc

/** HLT, which ring 3 may not execute: stands where an instruction traps. Unlike int3 it reaches the kernel without an
 * instruction of ring 0 (kernel/arch/gate.S). An opcode that does not exist would do, too, but some hosts look at each
 * (KVM, for instructions to emulate), which takes three times as long. */
#define CODE_TRAP 0xf4

/** What the page at an address is: its entry of 4 KiB, or 0 when it has none of its own. */
uint64_t code_page(uint64_t address);

/** Whether all pages of a range are a file's code that is not patched yet. */
bool code_is_fresh(uint64_t address, uint64_t end);

/** The byte at an address in a page of the program's own, which must be there. */
const uint8_t *code_byte(uint64_t address);

/** Has a page of the program's own no other owner (shared_frames.h): before it may be written to. Ends the run without
 * memory. */
void code_unshare(uint64_t page);

/**
 * Maps memory at an address that is free, for code of the kernel's that the program executes. It is filled by code_put,
 * and becomes code by code_settle, which jit_pages.h has nothing to look at in. 0 or -ENOMEM.
 */
int code_map(uint64_t address, uint64_t bytes);
void code_settle(uint64_t address, uint64_t bytes);

/** Copies to and from such pages. */
void code_put(uint64_t address, const void *from, size_t bytes);
void code_get(void *to, uint64_t address, size_t bytes);

#endif
