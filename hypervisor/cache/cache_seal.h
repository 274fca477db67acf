/* SPDX-License-Identifier: MIT */
/* How a file of the cache is recognised as the one that eremite completed: by its inode, size and times. Writing to it,
 * truncating or replacing it changes its ctime, which no program can set. So the check takes the same time for any
 * size. */
#ifndef HYPERVISOR_CACHE_SEAL_H
#define HYPERVISOR_CACHE_SEAL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct cache_seal {
	uint64_t ino, size;
	int64_t mtime_s, mtime_ns, ctime_s, ctime_ns;
};

/** Describes a file by its attributes. */
struct cache_seal cache_seal_of(const struct stat *st);

/** Whether a file is a regular one of this user, which nobody else may write. */
bool cache_is_mine(const struct stat *st);

#endif
