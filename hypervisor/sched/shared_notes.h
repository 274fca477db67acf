/* SPDX-License-Identifier: MIT */
/* Finds the instructions of a Linux program that touch memory which two threads use, from the accesses that its kernel
 * notes (SCHED_FLAG_NOTE): --shared-out. A run with these instructions as decision points (--preempt shared) switches
 * threads where it matters. A search makes one profiling run, calls shared_notes_write, and gives the list to the
 * other tries. */
#ifndef HYPERVISOR_SHARED_NOTES_H
#define HYPERVISOR_SHARED_NOTES_H

#include <stdint.h>
#include <stdio.h>

#include "abi/sched.h"
#include "guest/guest_memory.h"

struct shared_notes;

/** Returns empty notes, or NULL without memory. */
struct shared_notes *shared_notes_create(void);

/** Frees notes; accepts NULL. */
void shared_notes_destroy(struct shared_notes *notes);

/**
 * Takes the notes in a guest's schedule area, which is untrusted, and empties it. Returns 0, or a negative errno with
 * one line in error[].
 */
int shared_notes_take(struct shared_notes *notes, struct sched_area *area, const struct guest_memory *memory,
                      char error[256]);

/**
 * Writes the list (code_shared.h): each noted instruction that touched eight bytes which two threads of a process
 * touched, and one of them changed. Returns the number of instructions.
 */
size_t shared_notes_write(const struct shared_notes *notes, FILE *to);

#endif
