/* SPDX-License-Identifier: MIT */
/* main() of the run's program, as the point at which a policy starts (--from main). */
#ifndef KERNEL_LINUX_PATCH_MAIN_POINT_H
#define KERNEL_LINUX_PATCH_MAIN_POINT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/arch/trap.h"

/** Puts a trap at main() of a program that was just loaded, if the run wants one and this is its first program. `entry`
 * is the program's entry point. */
void main_point_set(uint64_t entry);

/** Handles a breakpoint: removes the trap, and starts the policy at its first execution. Returns whether it was one. */
bool main_point_reached(struct trap_frame *frame);

#endif
