/* SPDX-License-Identifier: MIT */
/* The races that the library in the place of libtsan has told, with names and lines. */
#ifndef HYPERVISOR_REPORT_TOLD_H
#define HYPERVISOR_REPORT_TOLD_H

#include <stdio.h>

#include "guest/guest_memory.h"
#include "guest/image.h"
#include "race/race_log.h"

/** Writes them as report_races writes others, with the calls that led to each access behind its own frames. Without
 * the line "dropped". */
void report_told(FILE *to, const struct image *image, const struct guest_memory *memory, const struct race_log *log);

#endif
