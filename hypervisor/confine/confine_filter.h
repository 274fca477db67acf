/* SPDX-License-Identifier: MIT */
/* The filters of seccomp(2), made of the list in confine_calls.h. */
#ifndef HYPERVISOR_CONFINE_FILTER_H
#define HYPERVISOR_CONFINE_FILTER_H

#include <linux/filter.h>
#include <stddef.h>

#include "confine/confine.h"

#define CONFINE_FILTER_MAX 1024 /* instructions: some three times as many as the longest filter has */

/**
 * Makes the filter of a plan. A call that is not in the list is trapped (SECCOMP_RET_TRAP), one of another
 * architecture kills the process. Returns how many instructions it has.
 */
size_t confine_filter(const struct confine_plan *plan, struct sock_filter filter[CONFINE_FILTER_MAX]);

#endif
