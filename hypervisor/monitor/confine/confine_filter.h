/* SPDX-License-Identifier: MIT */
/* Generates seccomp(2) filters from the list in confine_calls.h. */
#ifndef HYPERVISOR_CONFINE_FILTER_H
#define HYPERVISOR_CONFINE_FILTER_H

#include <linux/filter.h>
#include <stddef.h>

#include "confine/confine.h"

#define CONFINE_FILTER_MAX 1024 /* instructions: about three times the longest filter */

/**
 * Generates the filter of a plan. A call that is not in the list traps (SECCOMP_RET_TRAP); a call of another
 * architecture kills the process. Returns the number of instructions.
 */
size_t confine_filter(const struct confine_plan *plan, struct sock_filter filter[CONFINE_FILTER_MAX]);

#endif
