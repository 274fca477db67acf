/* SPDX-License-Identifier: MIT */
/* Creates objects that get their name in a directory only when they are complete. */
#ifndef HYPERVISOR_NEW_FILE_H
#define HYPERVISOR_NEW_FILE_H

#include <stdbool.h>
#include <stdint.h>

#define NEW_FILE_NAME_BYTES 48

struct new_file {
	int parent;
	int fd;                              /**< open for writing; -1: no file */
	const char *prefix;                  /**< prefix of temporary names; owned by the caller */
	char temporary[NEW_FILE_NAME_BYTES]; /**< temporary name; empty: the file is unnamed and vanishes with the
	                                        process */
};

/** Whether unnamed files can be linked to a name on this host, through /proc. */
bool new_file_can_link(void);

/**
 * Creates an unnamed file (open(2), O_TMPFILE) if `can_link` is set. If that is not possible, creates one with a
 * temporary name that begins with `prefix`. Returns 0 or a negative errno.
 */
int new_file_make(struct new_file *file, int parent, uint32_t mode, bool can_link, const char *prefix);

/**
 * Closes the file and gives it its name; with `replaces`, replaces an existing object. Returns 0, or a negative errno;
 * the file is then gone.
 */
int new_file_put(struct new_file *file, const char *leaf, bool replaces);

/** Closes and removes the unfinished file. */
void new_file_drop(struct new_file *file);

/**
 * Create a symbolic link, or a further name of a file; with `replaces`, replace an existing object. Return 0 or a
 * negative errno.
 */
int new_file_symlink(int parent, const char *target, const char *prefix, const char *leaf, bool replaces);
int new_file_link(int from, const char *from_leaf, int parent, const char *prefix, const char *leaf, bool replaces);

#endif
