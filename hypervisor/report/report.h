/* SPDX-License-Identifier: MIT */
/* What the user reads when a program faults: reason, registers, and the stack by function and line. */
#ifndef HYPERVISOR_REPORT_H
#define HYPERVISOR_REPORT_H

#include <stdio.h>

#include "abi/doorbell.h"
#include "guest/guest_memory.h"
#include "guest/image.h"

/**
 * Writes the report. `image` is what was loaded, its file open or -1; `report` may be the guest's, unchecked. The
 * backtrace comes from eremite-symbolize, a process of its own because the image's debug information is as little
 * trusted as the guest; without it, or when it fails, the addresses that the frame pointers lead to are given instead.
 * Takes some 10 ms, and 20 s at the most. Of a Linux program the registers and the stack are the program's own
 * (linux_view.h), and functions those of the files that it has mapped.
 */
void report_fault(FILE *to, const struct image *image, const struct fault_report *report,
                  const struct guest_memory *memory);

/** Writes which thread ran, and its stack without the kernel's frames. As report_fault. */
void report_position(FILE *to, const struct image *image, const struct fault_report *report,
                     const struct guest_memory *memory);

/**
 * Cuts off the frames at the top of a stack that are in the image's kernel, and numbers the others anew: what a thread
 * does there is the same for most that wait, but differs for the one that was the last to. Unless there is nothing
 * else.
 */
void report_leave_out_kernel(char *frames, const struct image_header *image);

/** The innermost frame, "function+0x12 (file:line)", or an address: one line without its newline, as report_fault. */
void report_place(char *to, size_t bytes, const struct image *image, const struct fault_report *report,
                  const struct guest_memory *memory);

/** Writes a stack: the symbolizer's lines, or where it has none the addresses that the frame pointers lead to. */
void report_stack(FILE *to, const char *frames, const uint64_t registers[17], const struct guest_memory *memory);

#endif
