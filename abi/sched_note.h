/* SPDX-License-Identifier: MIT */
/* Notes of the accesses at which the policy is asked, for --shared-out. */
#ifndef ABI_SCHED_NOTE_H
#define ABI_SCHED_NOTE_H

#include <stdint.h>

/** An access of a Linux program to memory, at a decision point in its code, or one of the SCHED_NOTE_* below. An access
 * is noted before it is made: if the thread is replaced there (SCHED_NOTE_SWITCH follows), it is made when the thread
 * goes on. */
struct sched_note {
	uint64_t object; /**< address of the instruction's operand */
	uint64_t file;   /**< kernel address of the file's struct view_file (abi/linux_view.h) */
	uint32_t offset; /**< of the instruction in the file */
	uint32_t thread, process;
	uint8_t kind; /**< enum code_kind, or one of the next ones */
	uint8_t bytes;
	uint8_t flags; /**< SCHED_NOTE_ALONE, SCHED_NOTE_STATIC */
	uint8_t reserved;
};

#define SCHED_NOTE_END 0U   /**< the thread ends; object: its FS base, which is in its control block */
#define SCHED_NOTE_MADE 1U  /**< the thread makes another one, whose number is `offset`; file: that one's RSP */
#define SCHED_NOTE_WAKES 2U /**< the thread wakes another one, whose number is `offset` */
#define SCHED_NOTE_CALL 3U  /**< the thread makes system call `offset`; object: its first argument; file: RSP */
#define SCHED_NOTE_SWITCH \
	4U /**< thread `offset` runs in its place; bytes: enum sched_kind of the decision; object: before or in which \
	    * operation; SCHED_OP_load, block: in a loop that reads memory until it changes */

/* sched_note.flags */
#define SCHED_NOTE_ALONE 1U  /**< no other thread has been made yet */
#define SCHED_NOTE_STATIC 2U /**< the object is below the heap, in a variable of the program */

/** Number of notes in the area. The guest rings DOORBELL_NOTES when all are used, and the monitor takes them and sets
 * notes_at to where the next one comes: 0, or a later place if it wants to be asked sooner. It takes the rest at the
 * end of the run. */
#define SCHED_NOTES 131072

_Static_assert(sizeof(struct sched_note) == 32, "sched_note");

#endif
