/* SPDX-License-Identifier: MIT */
/* The kernel's view of the running process, for reports about Linux programs: the program's registers, page tables,
 * mappings, and the files of its code. The monitor only reads it, at any moment, and does not trust it. Addresses are
 * kernel virtual addresses, in the image or the direct map. */
#ifndef ABI_LINUX_VIEW_H
#define ABI_LINUX_VIEW_H

#include <stdint.h>

#include "abi/layout.h"

#define LAYOUT_LINUX_VIEW (LAYOUT_FAULT_REPORT + 0x800UL) /* struct linux_view; the report ends before it */
#define LINUX_VIEW_MAGIC 0x3177656976786e6cUL             /* "lnxview1" */

struct linux_view {
	uint64_t magic;
	uint64_t tables;     /**< guest-physical address of the root page table */
	uint64_t mappings;   /**< address of a struct view_mappings */
	uint64_t current;    /**< address of a pointer to the running thread */
	uint64_t stack_at;   /**< offset in a thread of the address of the end of its struct view_frame */
	uint64_t files;      /**< address of a pointer to the first struct view_file */
	uint64_t fs_base_at; /**< offset in a thread of its FS base */
	/** Offsets in a thread: the addresses of its neighbours in the list of living threads, 0: none; enum view_state
	 * (4 bytes); the deadline of its wait in ns, UINT64_MAX: none. */
	uint64_t before_at, after_at, state_at, deadline_at;
	uint64_t timer; /**< address of the time in ns at which the next timer expires, UINT64_MAX: never */
};

/** States of a living thread. */
enum view_state {
	VIEW_READY, /**< runs or could run */
	VIEW_WAITING,
};

/** A thread's registers when it entered the kernel. */
struct view_frame {
	uint64_t r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi;
	uint64_t address, vector, error_code;
	uint64_t rip, cs, rflags, rsp, ss;
};

struct view_mappings {
	uint64_t list; /**< address of struct view_mapping[], sorted, disjoint */
	uint64_t count;
};

#define VIEW_EXECUTABLE 4

struct view_mapping {
	uint64_t start, end;
	uint32_t rights; /**< VIEW_EXECUTABLE and other bits */
	uint32_t reserved;
	uint64_t ops;    /**< 0: anonymous memory */
	uint64_t object; /**< as in view_file */
	uint64_t page;   /**< page of the file at `start` */
	uint64_t more[2];
};

#define VIEW_PATH_BYTES 216

/** A file that was mapped executable. */
struct view_file {
	uint64_t next; /**< 0: the last one */
	uint64_t object;
	uint64_t pieces; /**< address of the struct code_piece[] (abi/code.h) that make up the file */
	uint64_t piece_count;
	char path[VIEW_PATH_BYTES]; /**< a path that is too long loses its beginning; ended by a NUL */
};

_Static_assert(sizeof(struct linux_view) == 96, "linux_view");
_Static_assert(sizeof(struct view_frame) == 184, "view_frame");
_Static_assert(sizeof(struct view_mappings) == 16, "view_mappings");
_Static_assert(sizeof(struct view_mapping) == 64, "view_mapping");
_Static_assert(sizeof(struct view_file) == 248, "view_file");

#endif
