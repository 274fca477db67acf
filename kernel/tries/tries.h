/* SPDX-License-Identifier: MIT */
/* Tries: many runs of the program from one point on, in one guest (abi/tries.h). */
#ifndef KERNEL_TRIES_TRIES_H
#define KERNEL_TRIES_TRIES_H

/** Prepares for tries from the point of --from on. From now on output is only hashed and counted. The door must be the
 * monitor's. */
void tries_init(void);

#endif
