/* SPDX-License-Identifier: MIT */
/* Resource limits (getrlimit(2)). */
#ifndef KERNEL_SYS_LIMITS_H
#define KERNEL_SYS_LIMITS_H

#include <stdint.h>

#include "abi/linux.h"
#include "abi/linux_mman.h"

/** Gives the first process its limits. */
void limits_init(void);

/** prlimit(2), except for the effect of RLIMIT_CPU. */
long limits_prlimit(int pid, int resource, const struct linux_rlimit *limit, struct linux_rlimit *old);

/** The soft limit of a resource, LINUX_RLIMIT_*; UINT64_MAX for none. */
uint64_t limits_get(int resource);

#endif
