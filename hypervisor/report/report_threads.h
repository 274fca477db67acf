/* SPDX-License-Identifier: MIT */
/* What the user reads when no thread can go on: each thread, what it waits for, who has it, and the stack. */
#ifndef HYPERVISOR_REPORT_THREADS_H
#define HYPERVISOR_REPORT_THREADS_H

#include <stdio.h>

#include "guest/guest_memory.h"
#include "guest/image.h"
#include "run/thread_reports.h"

/**
 * Writes the states of all threads. Those that wait for the same at the same place are told of together, and a stack
 * that was shown is not shown again. `image` is what was loaded, its file open or -1.
 */
void report_threads(FILE *to, const struct image *image, const struct thread_reports *threads,
                    const struct guest_memory *memory);

#endif
