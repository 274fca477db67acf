/* SPDX-License-Identifier: MIT */
/* The states of a guest's threads at its end, which it reports by DOORBELL_THREAD. */
#ifndef HYPERVISOR_THREAD_REPORTS_H
#define HYPERVISOR_THREAD_REPORTS_H

#include <stddef.h>

#include "abi/doorbell.h"
#include "abi/linux_view.h"
#include "guest/guest_memory.h"

struct thread_reports {
	struct thread_report *at; /**< in ascending order of numbers; texts are printable and NUL-terminated */
	struct linux_view *views; /**< of a Linux program: one view for each thread; NULL: not a Linux program */
	unsigned count;
	size_t room, view_room;
};

/**
 * Appends the report at a guest-physical address. Returns 0; -EFAULT if it is outside the guest's memory; -EPROTO if it
 * is out of order, or exceeds the possible number of threads; or -ENOMEM.
 */
int thread_reports_take(struct thread_reports *reports, const struct guest_memory *memory, gpa_t address);

/**
 * Names the mutex, read-write lock or thread that each thread of a Linux program waits for on a futex, and the thread
 * that holds it. Reads the program's memory at the end of the run, and changes only the reports.
 */
void thread_reports_name_objects(struct thread_reports *reports, const struct guest_memory *memory);

/** The number of the thread that thread_reports_describe begins with; 0: no reports. */
uint32_t thread_reports_subject(const struct thread_reports *reports);

/** Frees the reports; accepts an all-zero structure. */
void thread_reports_free(struct thread_reports *reports);

/** The thread with that number, or NULL. */
const struct thread_report *thread_reports_find(const struct thread_reports *reports, uint32_t thread);

/**
 * Writes one line that explains the deadlock: a cycle of threads that wait for each other if there is one, otherwise
 * what one thread waits for.
 */
void thread_reports_describe(const struct thread_reports *reports, char *to, size_t bytes);

#endif
