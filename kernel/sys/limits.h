/* SPDX-License-Identifier: MIT */
/* Resource limits (getrlimit(2)). */
#ifndef KERNEL_SYS_LIMITS_H
#define KERNEL_SYS_LIMITS_H

#include <stdint.h>

/** The soft limit of a resource, LINUX_RLIMIT_*; UINT64_MAX for none. */
uint64_t limits_get(int resource);

#endif
