/* SPDX-License-Identifier: MIT */
/* The report of a program's fault: reason, registers, and the stack by function and line. */
#ifndef HYPERVISOR_REPORT_H
#define HYPERVISOR_REPORT_H

#include <stdio.h>

#include "abi/doorbell.h"
#include "guest/guest_memory.h"
#include "guest/image.h"

/**
 * Writes the report. `image` is the loaded image, its file open or -1; `report` may be unchecked guest data. The
 * backtrace comes from eremite-symbolize, a separate process, because the image's debug information is as untrusted as
 * the guest. If that fails, the report lists the addresses found by frame pointers. Takes about 10 ms, and at most 20
 * s. For a Linux program, registers and stack are the program's own (linux_view.h), and functions those of its mapped
 * files.
 */
void report_fault(FILE *to, const struct image *image, const struct fault_report *report,
                  const struct guest_memory *memory);

/** Writes the running thread and its stack without the kernel's frames. Arguments as for report_fault. */
void report_position(FILE *to, const struct image *image, const struct fault_report *report,
                     const struct guest_memory *memory);

/** Writes where a thread is that is about to do operation `op` (enum sched_op or system call number): first a line with
 * the symbol of the variable at address `object`, which is empty without a symbol, then its stack without the kernel's
 * frames. Without an object, uses report_look_object. Returns the object, 0: none. Other arguments as for report_fault.
 */
uint64_t report_look(FILE *to, const struct image *image, const struct fault_report *report,
                     const struct guest_memory *memory, uint64_t op, uint64_t object);

/** The object of a look without one: the memory that a system call is about; 0: none. */
uint64_t report_look_object(const struct image *image, const struct fault_report *report,
                            const struct guest_memory *memory, uint64_t op);

struct symbolizer_query;

/** Sets what the symbolizer is asked about a thread, and the memory that it sees. Returns the file that it needs, if
 * it is wanted, for the caller to close; -1: none. */
int report_query(struct symbolizer_query *query, struct guest_memory *seen, const struct image *image,
                 const struct fault_report *report, const struct guest_memory *memory, uint64_t object,
                 bool wants_file);

/**
 * Removes the frames at the top of a stack that are in the image's kernel, and renumbers the others. Most waiting
 * threads have the same kernel frames, except the last one that began to wait. Does nothing if all frames are in the
 * kernel.
 */
void report_leave_out_kernel(char *frames, const struct image_header *image);

/**
 * Writes the innermost frame, "function+0x12 (file:line)", or an address, in one line without a newline. Arguments as
 * for report_fault.
 */
void report_place(char *to, size_t bytes, const struct image *image, const struct fault_report *report,
                  const struct guest_memory *memory);

/** Writes a stack: the symbolizer's lines, or without them the addresses found by frame pointers. */
void report_stack(FILE *to, const char *frames, const uint64_t registers[17], const struct guest_memory *memory);

#endif
