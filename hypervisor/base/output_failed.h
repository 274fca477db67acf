/* SPDX-License-Identifier: MIT */
#ifndef HYPERVISOR_OUTPUT_FAILED_H
#define HYPERVISOR_OUTPUT_FAILED_H

#include <stdbool.h>

/** Flushes standard output. If not all of it could be written, says so, and nothing is said of it at the exit. Returns
 * whether it was. */
bool say_if_output_failed(const char *verb);

#endif
