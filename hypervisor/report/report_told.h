/* SPDX-License-Identifier: MIT */
/* The races that the library in the place of libtsan has told, with names and lines. */
#ifndef HYPERVISOR_REPORT_TOLD_H
#define HYPERVISOR_REPORT_TOLD_H

#include <stdbool.h>
#include <stdio.h>

#include "guest/guest_memory.h"
#include "guest/image.h"
#include "race/race_log.h"
#include "sched/shared_notes.h"

/** Writes them as report_races writes others, with the calls that led to each access behind its own frames. Without
 * the line "dropped". An access has the address of its instruction if `notes` have it; they may be NULL. */
void report_told(FILE *to, const struct image *image, const struct guest_memory *memory, const struct race_log *log,
                 struct shared_notes *notes);

/** Writes the frames of one address ("  #0  0x0000000000201111 main+0x11 (x.c:3)" is a line), each without its number
 * and address: `separator` before the first, tabs before the others. Changes them. Returns whether there are any. */
bool report_told_frames(FILE *to, char *frames, const char *separator);

#endif
