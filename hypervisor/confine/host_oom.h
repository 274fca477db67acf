/* SPDX-License-Identifier: MIT */
/* Whether the host's kernel has ended processes because memory was exhausted, its own or that of a control group. */
#ifndef HYPERVISOR_HOST_OOM_H
#define HYPERVISOR_HOST_OOM_H

#include <stdint.h>

/** What tells, as a descriptor, or -1. */
int host_oom_open(void);

/** How many processes it has ended since it was booted; 0 for -1. */
uint64_t host_oom_count(int fd);

#endif
