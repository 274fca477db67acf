/* SPDX-License-Identifier: MIT */
/* Tries: many runs of the program from one point on, in one guest (abi/tries.h). */
#ifndef KERNEL_TRIES_TRIES_H
#define KERNEL_TRIES_TRIES_H

/** Makes the run make tries from the point of --from on. The monitor is the host. Until then, output is counted and
 * dropped, too. */
void tries_init(void);

#endif
