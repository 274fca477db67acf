/* SPDX-License-Identifier: MIT */
/* Which machine this is, for files in the cache that may be found on another one. */
#ifndef HYPERVISOR_MACHINE_H
#define HYPERVISOR_MACHINE_H

#include <stdint.h>

/**
 * Returns a number of this machine, made from its machine-id(5) and its host name: machines that were copied from each
 * other may have the same machine-id. The first call must come before the process is confined.
 */
uint64_t machine_number(void);

#endif
