/* SPDX-License-Identifier: MIT */
/* Whether the flags of arithmetic have a use. */
#ifndef HYPERVISOR_TICK_FLAGS_H
#define HYPERVISOR_TICK_FLAGS_H

#include "code/code_function.h"

/** Whether the flags have no use before the instructions of a function from a step on, up to `end`, set them. */
bool tick_flags_are_unused(const struct code_function *function, const struct code_area *area, size_t step, size_t end);

#endif
