/* SPDX-License-Identifier: MIT */
/* Notes of the host's files and directories that were read, with their contents' hashes: for the run digest, for
 * --files-out, and to detect changes. */
#ifndef HYPERVISOR_HOST_NOTES_H
#define HYPERVISOR_HOST_NOTES_H

#include <stdio.h>

#include "base/digest.h"
#include "base/error.h"
#include "hostfs/tree/host_tree.h"

#define HOST_NOTES_NO_RUN 0U

/** What was read of a file. Notes of one path are kept in this order. */
enum host_note_kind {
	HOST_NOTE_READ,   /**< the whole file, or the names of a directory */
	HOST_NOTE_HEADER, /**< only the header of bytecode (host_bytecode.h) */
	HOST_NOTE_CHOICE, /**< nothing: the note only has the stamp of this source's bytecode; neither hashed nor listed
	                   */
	HOST_NOTE_DENIED, /**< nothing: the user may not read it (host_denied.h); hashed without contents, not listed
	                   */
	HOST_NOTE_ASSUMED, /**< nothing: an image does not say whether the name exists, and the run is not the sealed
	                      one (host_sealed.h); neither hashed nor listed */
};

/** One file or directory that was read. */
struct host_note {
	const struct host_tree *tree;
	enum host_note_kind kind;
	struct host_stamp stamp;    /**< for a directory, the size is the number of names that it shows */
	uint8_t hash[DIGEST_BYTES]; /**< SHA-256 of the contents; zeros if not wanted */
	unsigned run;               /**< the last run that has read it; HOST_NOTES_NO_RUN: none yet */
	size_t below;               /**< offset in `path` of the part below the tree */
	char path[];                /**< path in the guest; a directory's path ends with a slash */
};

/** All notes. Zero-initialised: none. */
struct host_notes {
	void *root; /**< tsearch(3) tree, by path and tree */
};

/**
 * Notes that a run has read a file or a directory, by its path below the tree. Returns 0 and the note in *out, or
 * -ENOMEM, or -ESTALE if an earlier read found something else. For a directory only the contents are compared. A note
 * for HOST_NOTES_NO_RUN is ignored until (*out)->run is set to a run's number.
 */
int host_notes_add(struct host_notes *notes, unsigned run, enum host_note_kind kind, const struct host_tree *tree,
                   const char *below, const struct host_stamp *stamp, const uint8_t hash[DIGEST_BYTES],
                   struct host_note **out);

/** Finds the note of a file or directory that a run has read as a whole, by its path below its tree. Returns NULL if
 * there is none. */
const struct host_note *host_notes_find(const struct host_notes *notes, unsigned run, const struct host_tree *tree,
                                        const char *below);

/** Checks that all noted files, but not directories, are unchanged. Returns 0, or a negative errno with a line in
 * *error: -ESTALE for a change. */
int host_notes_check(const struct host_notes *notes, struct error *error);

/**
 * Hashes guest paths, sizes and contents of the files that a run has read, in the byte order of the paths. A header
 * counts as contents of its size, unless the run has read the whole file. A file that the user may not read has the
 * size UINT64_MAX and a hash of zeros.
 */
void host_notes_digest(const struct host_notes *notes, unsigned run, uint8_t out[DIGEST_BYTES]);

/**
 * Writes a line for each file, in the byte order of the guest paths: SHA-256, size and guest path, with a backslash as
 * \\ and a newline as \n. Headers count as in host_notes_digest. Returns 0 or a negative errno.
 */
int host_notes_write(const struct host_notes *notes, FILE *to);

#define HOST_NOTES_NAMES 3 /* a line of a terminal has room for them */

/**
 * Counts the notes of a kind, and writes the first HOST_NOTES_NAMES guest paths to `text`, separated by commas and
 * truncated to `size`.
 */
size_t host_notes_name(const struct host_notes *notes, enum host_note_kind kind, char *text, size_t size);

/** Frees all notes. */
void host_notes_fini(struct host_notes *notes);

/**
 * Writes the guest path of `below` in a tree to `to`, truncated to `size`. Returns its full length, as snprintf(3)
 * does.
 */
size_t host_notes_path(char *to, size_t size, const struct host_tree *tree, const char *below);

#endif
