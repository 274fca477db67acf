/* SPDX-License-Identifier: MIT */
/* Sets mode and time of a file in the directory of --save. */
#ifndef HYPERVISOR_ATTRIBUTES_H
#define HYPERVISOR_ATTRIBUTES_H

#include <stdint.h>

#define ATTRIBUTES_NO_MODE UINT32_MAX
#define ATTRIBUTES_NO_TIME INT64_MIN

/**
 * Sets the permission bits and the mtime, in ns since 1970, of a regular file or directory. The object is `leaf` in the
 * directory `fd`, without following a symbolic link; or, if `leaf` is empty, the unnamed regular file `fd` itself.
 * Returns 0 or a negative errno.
 */
int attributes_set(int fd, const char *leaf, uint32_t mode, int64_t time_ns);

#endif
