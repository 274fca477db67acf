/* SPDX-License-Identifier: MIT */
/* Writing to a regular file. */
#ifndef HYPERVISOR_WRITE_ALL_H
#define HYPERVISOR_WRITE_ALL_H

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

/** Writes all of `bytes` bytes to a regular file from offset `at` on, in spite of signals. Returns 0 or a negative
 * errno.
 */
static inline int write_all(int fd, const void *from, size_t bytes, off_t at)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t put = pwrite(fd, (const char *)from + done, bytes - done, at + (off_t)done);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put ? -errno : -EIO;
		done += (size_t)put;
	}
	return 0;
}

#endif
