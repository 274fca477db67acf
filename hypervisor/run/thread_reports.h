/* SPDX-License-Identifier: MIT */
/* The states of a guest's threads at its end, as it tells them by DOORBELL_THREAD. */
#ifndef HYPERVISOR_THREAD_REPORTS_H
#define HYPERVISOR_THREAD_REPORTS_H

#include <stddef.h>

#include "abi/linux_view.h"
#include "abi/sched.h"
#include "guest/guest_memory.h"

struct thread_reports {
	struct thread_report *at; /**< by number, upwards; texts are printable and ended */
	struct linux_view *views; /**< of each, of a Linux program; NULL: it is none */
	unsigned count, room;
};

/**
 * Takes the report at a guest-physical address. 0; -EFAULT outside the guest's memory; -EPROTO for one that is not in
 * order, or one more than there can be threads; -ENOMEM.
 */
int thread_reports_take(struct thread_reports *reports, const struct guest_memory *memory, gpa_t address);

/** Takes one that is all zero. */
void thread_reports_free(struct thread_reports *reports);

/** The thread with that number, or NULL. */
const struct thread_report *thread_reports_find(const struct thread_reports *reports, uint32_t thread);

/**
 * Says in one line why nobody goes on: a circle of threads of which each waits for the next one, if there is one, else
 * what a thread waits for.
 */
void thread_reports_describe(const struct thread_reports *reports, char *to, size_t bytes);

#endif
