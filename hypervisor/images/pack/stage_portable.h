/* SPDX-License-Identifier: MIT */
/* Lists the instructions in what an image will have whose results depend on the processor (--check-portable). */
#ifndef HYPERVISOR_STAGE_PORTABLE_H
#define HYPERVISOR_STAGE_PORTABLE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "pack/stage.h"

/** Prints a line for each place, and one with the counts. Returns their number, or a negative errno with one line in
 * *error. */
int64_t stage_portable(const struct stage *stage, FILE *to, struct error *error);

#endif
