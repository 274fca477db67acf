/* SPDX-License-Identifier: MIT */
/* Files that are mapped read-only, and that another process may truncate meanwhile. Reading a part that is missing
 * yields zeros instead of SIGBUS, and whoever uses what was read checks afterwards that nothing was missing. */
#ifndef HYPERVISOR_MAPPED_FILE_H
#define HYPERVISOR_MAPPED_FILE_H

#include <stdbool.h>
#include <stddef.h>

/** Maps the first `bytes` bytes of an open file. Returns 0 or a negative errno; -ENFILE: 8 files are mapped. */
int mapped_file(int fd, size_t bytes, void **data);

/** Whether no part that was read was missing. Also true for memory that mapped_file() has not returned. */
bool mapped_file_is_whole(const void *data);

/** Unmaps what mapped_file() has mapped. */
void mapped_file_close(void *data, size_t bytes);

#endif
