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
#if __GNU_VISIBLE
#define RWF_HIPRI 0x01
#define RWF_DSYNC 0x02
#define RWF_SYNC 0x04
#define RWF_NOWAIT 0x08
#define RWF_APPEND 0x10
ssize_t preadv2(int __fd, const struct iovec *__iov, int __count, off_t __offset, int __flags);
ssize_t pwritev2(int __fd, const struct iovec *__iov, int __count, off_t __offset, int __flags);
#endif

__END_DECLS

#endif
