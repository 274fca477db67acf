/* SPDX-License-Identifier: MIT */
/* Detects whether the host's kernel has killed processes because the host or a control group was out of memory. */
#ifndef HYPERVISOR_HOST_OOM_H
#define HYPERVISOR_HOST_OOM_H

#include <stdint.h>

/** Opens the file with the kernel's counter. Returns a descriptor or -1. */
int host_oom_open(void);

/** Returns how many processes the kernel has killed since boot; 0 if fd is -1. */
uint64_t host_oom_count(int fd);

#endif
