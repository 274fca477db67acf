/* SPDX-License-Identifier: MIT */
/* Files that are mapped read-only, and that another process may truncate meanwhile. Reading a part that is missing
 * yields zeros instead of SIGBUS, and whoever uses what was read checks afterwards that nothing was missing. */
#ifndef HYPERVISOR_MAPPED_FILE_H
#define HYPERVISOR_MAPPED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define MAPPED_FILES_MAX 1100 /* two images that are compared, and what a guest is shown (HOST_FILE_SHOWN_FILES) */

/** Maps `bytes` bytes of an open file from an offset, a multiple of a page. Returns 0 or a negative errno; -ENFILE:
 * MAPPED_FILES_MAX files are mapped. */
int mapped_file(int fd, off_t offset, size_t bytes, void **data);

/** Whether no part that was read was missing. Also true for memory that mapped_file() has not returned. */
bool mapped_file_is_whole(const void *data);

/** Unmaps what mapped_file() has mapped. */
void mapped_file_close(void *data, size_t bytes);

#endif
