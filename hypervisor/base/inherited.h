/* SPDX-License-Identifier: MIT */
/* What eremite inherits from its parent and must not pass on to the guest's processes and its own threads. */
#ifndef HYPERVISOR_INHERITED_H
#define HYPERVISOR_INHERITED_H

#include "base/error.h"

/**
 * Leaves a real-time or deadline class of the host's scheduler for SCHED_OTHER; sched(7). Called before the first
 * thread or process is made. Returns 0, or a negative errno with a message in *error.
 */
int inherited_leave_class(struct error *error);

/**
 * Starts eremite again without a mapping at address 0, if the personality MMAP_PAGE_ZERO made one; personality(2).
 * Returns 0 if nothing is mapped there, or a negative errno with a message in *error.
 */
int inherited_leave_page_zero(char **argv, struct error *error);

#endif
