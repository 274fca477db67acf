/* SPDX-License-Identifier: MIT */
/* What the symbolizer denies itself. */
#ifndef HYPERVISOR_SYMBOLIZE_LIMITS_H
#define HYPERVISOR_SYMBOLIZE_LIMITS_H

/** Ten seconds of processor time, fifteen of wall-clock time, a GiB of memory, no core file. */
void limits_set(void);

/** From here on only reading, printing, memory and the end are possible; anything else fails with EPERM. */
void limits_close_doors(void);

#endif
