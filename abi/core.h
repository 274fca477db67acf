/* SPDX-License-Identifier: MIT */
/* The core file of a Linux program (--core). After the end of the run, when all digests are closed, the monitor fills
 * in a request and enters the guest once more, at image_header.tell_core. The kernel sends the file from its start to
 * its end by DOORBELL_CORE, and then rings DOORBELL_EXIT. */
#ifndef ABI_CORE_H
#define ABI_CORE_H

#include <stdint.h>

#include "abi/layout.h"

#define LAYOUT_CORE_REQUEST (LAYOUT_FAULT_REPORT + 0xc00UL) /* struct core_request; behind struct linux_view */

#define CORE_PROGRAM_BYTES 512

struct core_request {
	uint32_t signal; /**< the signal that ended the run; 0: none */
	/** The number of a thread, as reports have it, of the process that the file shows. It comes first in the file.
	 * 0: the running thread. */
	uint32_t thread;
	uint32_t in_program; /**< 1: the running thread was in the program, with the registers below; 0: in the kernel
	                      */
	uint32_t reserved;
	uint64_t registers[17]; /**< as in struct fault_report */
	uint64_t rflags;
	char program[CORE_PROGRAM_BYTES]; /**< set by the kernel: path of the process's program, ended by a NUL; empty:
	                                     it is longer */
};

_Static_assert(sizeof(struct core_request) == 672, "core_request");
_Static_assert(LAYOUT_CORE_REQUEST + sizeof(struct core_request) <= LAYOUT_FAULT_REPORT + 0x1000, "its page");

#endif
