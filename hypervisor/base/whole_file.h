/* SPDX-License-Identifier: MIT */
#ifndef HYPERVISOR_WHOLE_FILE_H
#define HYPERVISOR_WHOLE_FILE_H

#include <stddef.h>

/** Reads a regular file of at most `max` bytes into memory, which the caller frees. Returns 0 or a negative errno:
 * -EINVAL if the file is not regular, -EFBIG if it has more bytes. */
int whole_file_read(const char *path, size_t max, void **bytes, size_t *count);

#endif
