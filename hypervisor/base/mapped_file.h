/* SPDX-License-Identifier: MIT */
/* Files that are mapped read-only, and that another process may truncate meanwhile. Reading a part that is missing
 * yields zeros instead of SIGBUS, and whoever uses what was read checks afterwards that nothing was missing. */
#ifndef HYPERVISOR_MAPPED_FILE_H
#define HYPERVISOR_MAPPED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#define MAPPED_FILES_MAX 1100 /* two images that are compared, and what a guest is shown (HOST_FILE_SHOWN_FILES) */

/** Maps `bytes` bytes of an open file from an offset, a multiple of a page. Returns 0 or a negative errno; -ENFILE:
 * MAPPED_FILES_MAX files are mapped. */
int mapped_file(int fd, off_t offset, size_t bytes, void **data);

/** Whether no part that was read was missing. Also true for memory that mapped_file() has not returned. */
bool mapped_file_is_whole(const void *data);

/** A file that is mapped as a whole, and what it was before. */
struct mapped_source {
	int fd;
	struct stat was;
	const void *data;
};

/** Whether what stat(2) says is of one file, and shows no change between two moments. */
bool mapped_file_is_same(const struct stat *was, const struct stat *now);

/** Whether the file is as it was, and no part that was read was missing. */
bool mapped_file_is_unchanged(const struct mapped_source *source);

/** Unmaps what mapped_file() has mapped. */
void mapped_file_close(void *data, size_t bytes);

#endif
