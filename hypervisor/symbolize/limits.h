/* SPDX-License-Identifier: MIT */
/* Limits that the symbolizer sets for itself. */
#ifndef HYPERVISOR_SYMBOLIZE_LIMITS_H
#define HYPERVISOR_SYMBOLIZE_LIMITS_H

/** Limits processor time to 10 s, wall time to 15 s and memory to 1 GiB, and disables core files. */
void limits_set(void);

/** From now on allows only system calls to read, print, manage memory and exit; any other fails with EPERM. */
void limits_close_doors(void);

#endif
