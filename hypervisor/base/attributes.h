/* SPDX-License-Identifier: MIT */
/* Mode and time of a file of --save's directory. */
#ifndef HYPERVISOR_ATTRIBUTES_H
#define HYPERVISOR_ATTRIBUTES_H

#include <stdint.h>

#define ATTRIBUTES_NO_MODE UINT32_MAX
#define ATTRIBUTES_NO_TIME INT64_MIN

/**
 * Sets the permission bits and the mtime, in nanoseconds since 1970, of a regular file or directory: of `leaf` in the
 * directory `fd`, no link being followed, or with an empty name of the regular file `fd` itself, which has no name. 0
 * or a negative errno.
 */
int attributes_set(int fd, const char *leaf, uint32_t mode, int64_t time_ns);

#endif
