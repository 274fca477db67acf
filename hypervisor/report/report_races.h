/* SPDX-License-Identifier: MIT */
/* The races of a run, with names and lines, as text for the search that has made it. */
#ifndef HYPERVISOR_REPORT_RACES_H
#define HYPERVISOR_REPORT_RACES_H

#include <stdbool.h>
#include <stdio.h>

#include "guest/guest_memory.h"
#include "guest/image.h"
#include "race/race_log.h"
#include "run/run.h"
#include "sched/shared_notes.h"

/** Most races that are written of one run. */
#define REPORT_RACES_MAX 128U

/**
 * Writes the races in noted accesses: a line "dropped LIST RACES UNSHOWN" with numbers of accesses and races that were
 * left out, and for each race three lines,
 *
 *     race certain COUNT ADDRESS OBJECT
 *     at ACCESS THREAD NOTE INSTRUCTION FRAME<tab>FRAME...
 *     at ACCESS THREAD NOTE INSTRUCTION FRAME<tab>FRAME...
 *
 * `certain` may be `possible`, or `typed`: certain if the lines of both instructions access OBJECT in plain sight,
 * whose type is not atomic; ACCESS is r, w or rw, or wf if the
 * memory is freed; OBJECT, the symbol of a variable, may be empty; NOTE is the
 * number of the note of the first time; INSTRUCTION is its address, 0x0: not known; FRAME is as in stacks, the
 * innermost inlined function first. `is_sampled` is as of shared_notes_races. If the program's library has told races,
 * which knows more, they are written instead.
 */
void report_races(FILE *to, const struct image *image, const struct guest_memory *memory, struct shared_notes *notes,
                  bool is_sampled, const struct race_log *told);

/** observer.access: writes to a descriptor, *(int *)context, a line "note NUMBER", a line with the name of the
 * object, which may be empty, the stack, and a line with a form feed. */
void report_race_look(void *context, const struct note_look *look, const struct fault_report *place,
                      const struct guest_memory *memory, const struct image *image);

#endif
