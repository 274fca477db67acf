/* SPDX-License-Identifier: MIT */
/* Notes of a run for the monitor (SCHED_FLAG_NOTE): accesses to memory, and what orders the threads that make them.
 * They are in the schedule area, which no digest covers. */
#ifndef KERNEL_SCHED_NOTES_H
#define KERNEL_SCHED_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/policy.h"

struct sched_note;

/** Whether this run makes notes. Only runs of Linux programs do. */
static inline bool notes_are_made(void)
{
	return sched_boot()->flags & SCHED_FLAG_NOTE;
}

/** Adds a note. */
void notes_add(const struct sched_note *note);

/** The functions below run on the policies' stack, and do nothing in a run without notes. This one: the running thread
 * makes or wakes another one (SCHED_NOTE_MADE, SCHED_NOTE_WAKES). */
void notes_other(uint8_t kind, const struct thread *other);

/** The running thread is about to make a system call. */
void notes_call(uint64_t number);

/** A decision was made: `next` runs. */
void notes_switch(const struct sched_question *question, const struct thread *next);

#endif
