/* SPDX-License-Identifier: MIT */
/* Conditions of breakpoints: gdb's agent expressions (gdb's manual, appendix F), which are evaluated here, so that a
 * hit whose condition is false does not stop the run. */
#ifndef KERNEL_LINUX_DEBUG_DEBUG_CONDITION_H
#define KERNEL_LINUX_DEBUG_DEBUG_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/arch/trap.h"

/** Whether a list of expressions is whole: each has its length, in 2 bytes, before it. */
bool debug_condition_is_list(const uint8_t *list, size_t bytes);

/** Whether each of them is false where a thread stands. One that cannot be evaluated is not: gdb evaluates it itself at
 * the stop. Reads no page that the program has not touched, because that would touch it. */
bool debug_condition_is_false(const uint8_t *list, size_t bytes, const struct trap_frame *frame);

#endif
