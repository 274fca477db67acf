/* SPDX-License-Identifier: MIT */
/* Which of the host's files and directories were read, and what was in them: for the run digest, for --files-out, and
 * to see that none has changed. */
#ifndef HYPERVISOR_HOST_NOTES_H
#define HYPERVISOR_HOST_NOTES_H

#include <stdio.h>

#include "guest/digest.h"
#include "hostfs/host_tree.h"

#define HOST_NOTES_NO_RUN 0U

/** What was read of a file, in the order in which notes of one path are kept. */
enum host_note_kind {
	HOST_NOTE_READ,   /**< all of it, or the names of a directory */
	HOST_NOTE_HEADER, /**< of bytecode the header alone (host_bytecode.h) */
	HOST_NOTE_CHOICE, /**< nothing: which bytecode there is of this source, by its stamp; neither summed nor listed
	                   */
};

/** One file that was read, or one directory. */
struct host_note {
	const struct host_tree *tree;
	enum host_note_kind kind;
	struct host_stamp stamp;    /**< a directory's size is how many names it shows */
	uint8_t hash[DIGEST_BYTES]; /**< SHA-256 of the contents; zeros when nobody wants it */
	unsigned run;               /**< the last one that has read it; HOST_NOTES_NO_RUN: none has yet */
	size_t below;               /**< where in `path` the part below the tree begins */
	char path[];                /**< in the guest; a directory's ends with a slash */
};

/** All of them. Zero-initialised: none. */
struct host_notes {
	void *root; /**< of tsearch(3), by path and tree */
};

/**
 * Notes that a run has read a file or a directory, by its path below the tree. 0, -ENOMEM, or -ESTALE when it was read
 * before and was not the same: of a directory the contents count alone. What is noted for no run is as if it were not
 * there, until (*out)->run, which is the note when the answer is 0, gets a number.
 */
int host_notes_add(struct host_notes *notes, unsigned run, enum host_note_kind kind, const struct host_tree *tree,
                   const char *below, const struct host_stamp *stamp, const uint8_t hash[DIGEST_BYTES],
                   struct host_note **out);

/** Whether all files, not directories, are still what they were: 0, or -ESTALE with a line in error[]. */
int host_notes_check(const struct host_notes *notes, char error[256]);

/**
 * The sum over guest paths, sizes and contents of what a run has read, in the order of the paths' bytes. A header
 * counts as contents of its size, unless the run has read the file as a whole.
 */
void host_notes_digest(const struct host_notes *notes, unsigned run, uint8_t out[DIGEST_BYTES]);

/**
 * Writes a line for each, in the order of the guest paths' bytes: SHA-256, size, guest path, with a backslash as \\ and
 * a newline as \n. Headers as in the sum. 0 or a negative errno.
 */
int host_notes_write(const struct host_notes *notes, FILE *to);

/** Forgets all. */
void host_notes_fini(struct host_notes *notes);

/** The path in the guest of something in a tree: into `to`, in full, or cut. Its length, as snprintf(3). */
size_t host_notes_path(char *to, size_t size, const struct host_tree *tree, const char *below);

#endif
