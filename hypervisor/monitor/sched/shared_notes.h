/* SPDX-License-Identifier: MIT */
/* Finds the instructions of a Linux program that touch memory which two threads use, from the accesses that its kernel
 * notes (SCHED_FLAG_NOTE): --shared-out. A run with these instructions as decision points (--preempt shared) switches
 * threads where it matters. A search makes one profiling run, calls shared_notes_write, and gives the list to the
 * other tries. */
#ifndef HYPERVISOR_SHARED_NOTES_H
#define HYPERVISOR_SHARED_NOTES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "guest/guest_memory.h"
#include "race/race_log.h"
#include "race/races.h"

struct sched_area;
struct shared_notes;

/** Returns empty notes, or NULL without memory. */
struct shared_notes *shared_notes_create(void);

/** Frees notes; accepts NULL. */
void shared_notes_destroy(struct shared_notes *notes);

/**
 * Takes the notes in a guest's schedule area, which is untrusted, and empties it. Returns 0, or a negative errno with
 * one line in *error.
 */
int shared_notes_take(struct shared_notes *notes, struct sched_area *area, const struct guest_memory *memory,
                      struct error *error);

/** A race between two instructions (race/races.h). */
struct shared_race {
	struct race race;
	struct shared_place {
		uint64_t file, offset; /**< as in struct linux_place */
		const char *path;      /**< valid as long as the notes are */
		uint8_t kind;          /**< enum code_kind */
	} place[2];
};

/** The races between the noted accesses. `is_sampled`: not all accesses of the program were decision points, so none is
 * certain. Returns an array of *count, certain ones first, which the caller frees; NULL: none. */
struct shared_race *shared_notes_races(struct shared_notes *notes, bool is_sampled, size_t *count);

/**
 * Notes that the memory of the races that the program's library has told is shared, so that the list has the
 * instructions that touched it: locks of that library and of malloc order threads in this run, which the notes cannot
 * tell from an order that the program relies on. Returns an array of *count of these instructions, which the caller
 * frees; NULL: none.
 */
struct shared_place *shared_notes_told(struct shared_notes *notes, const struct race_log *told, size_t *count);

/** Accesses that were left out, for lack of room: of the list, and of the search for races. */
uint64_t shared_notes_left_out(const struct shared_notes *notes);
uint64_t shared_notes_left_unjudged(const struct shared_notes *notes);

/** The run has failed: lists all loads and stores that threads passed while there were several, and where each thread
 * was replaced at the end, because what would have been behind the failure has not touched the memory. Does nothing if
 * there are more than `most` instructions: they would take the place of those that matter. */
void shared_notes_keep_failure(struct shared_notes *notes, uint32_t most);

/**
 * Writes the list (code_shared.h): each noted instruction that touched eight bytes which two threads of a process
 * touched, and one of them changed. Returns the number of instructions.
 */
size_t shared_notes_write(const struct shared_notes *notes, FILE *to);

#endif
