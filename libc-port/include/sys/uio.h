/* SPDX-License-Identifier: MIT */
/* Scatter and gather (readv(2)). */
#ifndef _SYS_UIO_H
#define _SYS_UIO_H

#include <sys/cdefs.h>
#include <sys/types.h>

__BEGIN_DECLS

#define UIO_MAXIOV 1024

#ifndef EREMITE_STRUCT_IOVEC
#define EREMITE_STRUCT_IOVEC
struct iovec {
	void *iov_base;
	size_t iov_len;
};
#endif

ssize_t readv(int __fd, const struct iovec *__iov, int __count);
ssize_t writev(int __fd, const struct iovec *__iov, int __count);
#if __MISC_VISIBLE
ssize_t preadv(int __fd, const struct iovec *__iov, int __count, off_t __offset);
ssize_t pwritev(int __fd, const struct iovec *__iov, int __count, off_t __offset);
#endif

__END_DECLS

#endif
