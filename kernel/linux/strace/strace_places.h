/* SPDX-License-Identifier: MIT */
/* Counts virtual time by the place that takes it, for eremite profile --by places. The countdown runs out at each place
 * that counts time, so none is missed. Only the area of the observer changes. */
#ifndef KERNEL_LINUX_STRACE_STRACE_PLACES_H
#define KERNEL_LINUX_STRACE_STRACE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

/** Whether places are counted. */
bool strace_places_are_counted(void);

/** The time since the running thread was here last is that of the instruction at an address, which is executed
 * `count` times more. */
void strace_places_count(uint64_t at, unsigned count);

/** Tells the monitor the places of the running process, while its files are mapped, and forgets them. */
void strace_places_tell(void);

#endif
