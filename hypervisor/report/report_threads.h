/* SPDX-License-Identifier: MIT */
/* The report of a deadlock: each thread, the object that it waits for, the thread that holds it, and the stack. */
#ifndef HYPERVISOR_REPORT_THREADS_H
#define HYPERVISOR_REPORT_THREADS_H

#include <stdio.h>

#include "guest/guest_memory.h"
#include "guest/image.h"
#include "run/thread_reports.h"

/**
 * Writes the states of all threads. Threads that wait for the same object at the same place share an entry, and each
 * stack is shown once. `image` is the loaded image, its file open or -1.
 */
void report_threads(FILE *to, const struct image *image, const struct thread_reports *threads,
                    const struct guest_memory *memory);

#endif
