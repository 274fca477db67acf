/* SPDX-License-Identifier: MIT */
/* The requests that a debugger makes while a thread stands. */
#ifndef KERNEL_LINUX_DEBUG_DEBUG_SERVE_H
#define KERNEL_LINUX_DEBUG_DEBUG_SERVE_H

#include <stdbool.h>

#include "kernel/arch/trap.h"

/** Where a thread stands. */
struct debug_place {
	struct trap_frame *frame; /**< its registers */
	uint64_t from;            /**< 0, or the address that it shows: the frame is at the kernel's entry */
	bool is_in_call;          /**< it is in a system call, which keeps some registers, so they do not change */
	bool has_result;          /**< and the call's result is in the frame */
};

/** Performs the request in the area of the debugger, for a thread that stands there. */
void debug_serve(const struct debug_place *place);

#endif
