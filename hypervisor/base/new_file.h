/* SPDX-License-Identifier: MIT */
/* Objects that get their name in a directory when they are complete, and not before. */
#ifndef HYPERVISOR_NEW_FILE_H
#define HYPERVISOR_NEW_FILE_H

#include <stdbool.h>
#include <stdint.h>

#define NEW_FILE_NAME_BYTES 48

struct new_file {
	int parent;
	int fd;                              /**< to write to, or -1: there is none */
	const char *prefix;                  /**< how temporary names begin; the caller's */
	char temporary[NEW_FILE_NAME_BYTES]; /**< empty: it has no name at all, and is gone with the process */
};

/** Whether files without names can be given some here: through /proc. */
bool new_file_can_link(void);

/** Makes a file without a name if `can_link`, or where that cannot be (open(2), O_TMPFILE) with one of its own,
 * which begins with `prefix`. 0 or a negative errno. */
int new_file_make(struct new_file *file, int parent, uint32_t mode, bool can_link, const char *prefix);

/** Closes it and gives it its name, in place of what has that, if anything may. 0 or a negative errno; it is gone then.
 */
int new_file_put(struct new_file *file, const char *leaf, bool replaces);

/** Leaves nothing behind. */
void new_file_drop(struct new_file *file);

/** Makes a symbolic link, or a further name of a file, in the same way. 0 or a negative errno. */
int new_file_symlink(int parent, const char *target, const char *prefix, const char *leaf, bool replaces);
int new_file_link(int from, const char *from_leaf, int parent, const char *prefix, const char *leaf, bool replaces);

#endif
