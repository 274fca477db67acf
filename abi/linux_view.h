/* SPDX-License-Identifier: MIT */
/* What the kernel shows of the process that runs, for reports of Linux programs: where the monitor finds the program's
 * registers, its page tables, its mappings, and the files of its code. The monitor only reads, and may at any moment;
 * nothing that it reads is trusted. Addresses are virtual ones of the kernel, in the image or the direct map. */
#ifndef ABI_LINUX_VIEW_H
#define ABI_LINUX_VIEW_H

#include <stdint.h>

#include "abi/layout.h"

#define LAYOUT_LINUX_VIEW (LAYOUT_FAULT_REPORT + 0x800UL) /* struct linux_view; the report ends before it */
#define LINUX_VIEW_MAGIC 0x3177656976786e6cUL             /* "lnxview1" */

struct linux_view {
	uint64_t magic;
	uint64_t tables;   /**< guest-physical address of its page tables, the root */
	uint64_t mappings; /**< of a struct view_mappings */
	uint64_t current;  /**< of a pointer to the thread that runs */
	uint64_t stack_at; /**< where in a thread there is the address behind its struct view_frame */
	uint64_t files;    /**< of a pointer to a struct view_file, the first one */
};

/** A thread's registers when it entered the kernel. */
struct view_frame {
	uint64_t r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi;
	uint64_t address, vector, error_code;
	uint64_t rip, cs, rflags, rsp, ss;
};

struct view_mappings {
	uint64_t list; /**< of struct view_mapping[], sorted, disjoint */
	uint64_t count;
};

#define VIEW_EXECUTABLE 4

struct view_mapping {
	uint64_t start, end;
	uint32_t rights; /**< VIEW_EXECUTABLE and others */
	uint32_t reserved;
	uint64_t ops;    /**< 0: anonymous memory */
	uint64_t object; /**< as in view_file */
	uint64_t page;   /**< of the file, at the start */
	uint64_t more[2];
};

#define VIEW_PATH_BYTES 216

/** A file that was mapped to be executed. */
struct view_file {
	uint64_t next; /**< 0: it is the last */
	uint64_t object;
	uint64_t pieces; /**< of struct code_piece[] (abi/code.h) that make up the file */
	uint64_t piece_count;
	char path[VIEW_PATH_BYTES]; /**< cut off at the front where it is too long; ended by a NUL */
};

_Static_assert(sizeof(struct linux_view) == 48, "linux_view");
_Static_assert(sizeof(struct view_frame) == 184, "view_frame");
_Static_assert(sizeof(struct view_mapping) == 64, "view_mapping");

#endif
