/* SPDX-License-Identifier: MIT */
/* The ELF note by which a boot door recognises an Eremite image and finds the kernel's entries. */
#ifndef ABI_IMAGE_H
#define ABI_IMAGE_H

#ifndef __ASSEMBLER__
#include <stdint.h>
#endif

#define IMAGE_NOTE_NAME "Eremite"
#define IMAGE_NOTE_TYPE 1

/* The version of this tree. It is larger than that of the last release if the contract has grown since (make lint). */
#define IMAGE_ABI_VERSION 25

/* The version that a kernel of this tree needs in every run, which is in its note. A kernel uses what is newer only in
 * runs that ask for it; an image of such a run names a larger version in its manifest. It grows when a kernel rings for
 * something new unasked, or relies on something new in its boot information. */
#define IMAGE_ABI_NEEDED 24

/* The version of release 0.9. A monitor runs images of all versions from it on
 * (docs/abi.md). */
#define IMAGE_ABI_FIRST_PUBLISHED 24

/* Distance between exception stubs, in bytes, and number of stubs: one for each vector from 0 on. */
#define IMAGE_STUB_BYTES 16
#define IMAGE_VECTORS 32

/* Size of the frame that IRETQ takes: RIP, CS, RFLAGS, RSP and SS. */
#define IMAGE_FRAME_BYTES 40

#ifndef __ASSEMBLER__

/** The note's description. All addresses are virtual and inside the image. */
struct image_header {
	uint32_t abi_version;
	uint32_t reserved;
	uint64_t start;                  /**< first instruction, in ring 3 */
	uint64_t boot_stack_top;         /**< its stack */
	uint64_t trap_stubs;             /**< ring 3: IMAGE_VECTORS stubs of IMAGE_STUB_BYTES */
	uint64_t page_fault_stub;        /**< ring 0: vector 14 */
	uint64_t breakpoint_stub;        /**< ring 0: vector 3, the way to the gate */
	uint64_t syscall_stub;           /**< LSTAR */
	uint64_t page_fault_landing_top; /**< IST 1, vector 14 */
	uint64_t trap_landing_top;       /**< IST 2, all other vectors */
	uint64_t breakpoint_landing_top; /**< IST 3, vector 3, and RSP0 */
	uint64_t eh_frame;               /**< .eh_frame: which parts of the text are code, and how to unwind it */
	uint64_t eh_frame_end;
	uint64_t kernel_text; /**< the kernel's code; reports use it to tell the kernel from the program */
	uint64_t kernel_text_end;
	uint64_t close_accounts; /**< ring 3, on the policies' stack: rings DOORBELL_ACCOUNTS and does not return */
	uint64_t ticks_left; /**< the countdown of ticks, and the ticks owed (abi/ticks.h), for the monitor to read */
	/* For engines without ring 0, which do the work of the stubs of vectors 3 and 14. */
	uint64_t gate_load_cr3;    /**< the instruction after the gate's breakpoint that loads CR3 */
	uint64_t gate_invlpg;      /**< the instruction after the call for INVLPG */
	uint64_t page_fault_frame; /**< data: the frame with which the stub of vector 14 returns to ring 3 */
	uint64_t breakpoint_frame; /**< data: the frame with which the stub of vector 3 returns to ring 3 */
	uint64_t tell_core; /**< ring 3, on the policies' stack: sends a core file (abi/core.h) and does not return;
	                       0: a kernel without it */
};

_Static_assert(sizeof(struct image_header) == 168, "image_header");

#endif
#endif
