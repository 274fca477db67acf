/* SPDX-License-Identifier: MIT */
/* Calls on open files: open(2), read(2), lseek(2), dup(2), fcntl(2), fsync(2) and others. */
#include <fcntl.h>
#include <stdarg.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

/* open has a third argument only if it may make a file. */
static unsigned int mode_argument(int flags, va_list args)
{
	if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE)
		return va_arg(args, unsigned int);
	return 0;
}

int open(const char *path, int flags, ...)
{
	va_list args;
	va_start(args, flags);
	unsigned int mode = mode_argument(flags, args);
	va_end(args);
	return (int)kernel_result(THREAD_RESTARTED(kcall_open(path, flags, mode)));
}

int openat(int dirfd, const char *path, int flags, ...)
{
	va_list args;
	va_start(args, flags);
	unsigned int mode = mode_argument(flags, args);
	va_end(args);
	return (int)kernel_result(THREAD_RESTARTED(kcall_openat(dirfd, path, flags, mode)));
}

KERNEL_FUNCTION_BY(THREAD_RESTARTED, int, creat, (const char *path, mode_t mode), (path, mode))
KERNEL_FUNCTION_BY(THREAD_CANCELLABLE, int, close, (int fd), (fd))
KERNEL_FUNCTION(int, close_range, (unsigned first, unsigned last, int flags), (first, last, (unsigned)flags))
KERNEL_FUNCTION_BY(THREAD_RESTARTED, ssize_t, read, (int fd, void *buf, size_t count), (fd, buf, count))
KERNEL_FUNCTION_BY(THREAD_RESTARTED, ssize_t, write, (int fd, const void *buf, size_t count), (fd, buf, count))

ssize_t pread(int fd, void *buf, size_t count, off_t offset)
{
	return kernel_result(THREAD_CANCELLABLE(kcall_pread64(fd, buf, count, offset)));
}

ssize_t pwrite(int fd, const void *buf, size_t count, off_t offset)
{
	return kernel_result(THREAD_CANCELLABLE(kcall_pwrite64(fd, buf, count, offset)));
}

KERNEL_FUNCTION_BY(THREAD_RESTARTED, ssize_t, readv, (int fd, const struct iovec *iov, int count),
                   (fd, (const struct linux_iovec *)iov, count))
KERNEL_FUNCTION_BY(THREAD_RESTARTED, ssize_t, writev, (int fd, const struct iovec *iov, int count),
                   (fd, (const struct linux_iovec *)iov, count))

ssize_t preadv(int fd, const struct iovec *iov, int count, off_t offset)
{
	return kernel_result(
		THREAD_CANCELLABLE(kcall_preadv(fd, (const struct linux_iovec *)iov, (unsigned long)count, offset, 0)));
}

ssize_t pwritev(int fd, const struct iovec *iov, int count, off_t offset)
{
	return kernel_result(THREAD_CANCELLABLE(
		kcall_pwritev(fd, (const struct linux_iovec *)iov, (unsigned long)count, offset, 0)));
}

ssize_t preadv2(int fd, const struct iovec *iov, int count, off_t offset, int flags)
{
	return kernel_result(THREAD_RESTARTED(
		kcall_preadv2(fd, (const struct linux_iovec *)iov, (unsigned long)count, offset, 0, flags)));
}

ssize_t pwritev2(int fd, const struct iovec *iov, int count, off_t offset, int flags)
{
	return kernel_result(THREAD_RESTARTED(
		kcall_pwritev2(fd, (const struct linux_iovec *)iov, (unsigned long)count, offset, 0, flags)));
}

KERNEL_FUNCTION(off_t, lseek, (int fd, off_t offset, int whence), (fd, offset, whence))
KERNEL_FUNCTION(int, dup, (int fd), (fd))
KERNEL_FUNCTION(int, dup2, (int fd, int new_fd), (fd, new_fd))
KERNEL_FUNCTION(int, dup3, (int fd, int new_fd, int flags), (fd, new_fd, flags))
KERNEL_FUNCTION(int, pipe, (int fds[2]), (fds))
KERNEL_FUNCTION(int, pipe2, (int fds[2], int flags), (fds, flags))

int fcntl(int fd, int command, ...)
{
	va_list args;
	va_start(args, command);
	unsigned long arg = va_arg(args, unsigned long);
	va_end(args);
	if (command == F_SETLKW || command == F_OFD_SETLKW)
		return (int)kernel_result(THREAD_RESTARTED(kcall_fcntl(fd, command, arg)));
	return (int)kernel_result(kcall_fcntl(fd, command, arg));
}

KERNEL_FUNCTION_BY(KERNEL_RESTARTED, int, flock, (int fd, int operation), (fd, operation))

/* lockf(3) is fcntl(2)'s record lock from the current offset on. */
int lockf(int fd, int command, off_t length)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_len = length};
	switch (command) {
	case F_ULOCK:
		lock.l_type = F_UNLCK;
		return fcntl(fd, F_SETLK, &lock);
	case F_LOCK:
		return fcntl(fd, F_SETLKW, &lock);
	case F_TLOCK:
		return fcntl(fd, F_SETLK, &lock);
	case F_TEST:
		lock.l_type = F_RDLCK;
		if (fcntl(fd, F_GETLK, &lock) < 0)
			return -1;
		return lock.l_type == F_UNLCK || lock.l_pid == getpid() ? 0 : kernel_refuse(EACCES);
	default:
		return kernel_refuse(EINVAL);
	}
}

KERNEL_FUNCTION_BY(THREAD_CANCELLABLE, int, fsync, (int fd), (fd))
KERNEL_FUNCTION_BY(THREAD_CANCELLABLE, int, fdatasync, (int fd), (fd))

void sync(void)
{
	kcall_sync();
}

KERNEL_FUNCTION(int, syncfs, (int fd), (fd))
KERNEL_FUNCTION(int, sync_file_range, (int fd, off_t offset, off_t length, unsigned flags), (fd, offset, length, flags))
KERNEL_FUNCTION(ssize_t, readahead, (int fd, off_t offset, size_t count), (fd, offset, count))
KERNEL_FUNCTION(int, ftruncate, (int fd, off_t length), (fd, length))
KERNEL_FUNCTION(int, truncate, (const char *path, off_t length), (path, length))
KERNEL_FUNCTION(int, fallocate, (int fd, int mode, off_t offset, off_t length), (fd, mode, offset, length))

/* These two return the error number. */
int posix_fallocate(int fd, off_t offset, off_t length)
{
	return (int)-kcall_fallocate(fd, 0, offset, length);
}

int posix_fadvise(int fd, off_t offset, off_t length, int advice)
{
	return (int)-kcall_fadvise64(fd, offset, length, advice);
}

KERNEL_FUNCTION_BY(KERNEL_RESTARTED, ssize_t, copy_file_range,
                   (int in, off_t *in_offset, int out, off_t *out_offset, size_t size, unsigned flags),
                   (in, in_offset, out, out_offset, size, flags))
KERNEL_FUNCTION_BY(KERNEL_RESTARTED, ssize_t, sendfile, (int out, int in, off_t *offset, size_t count),
                   (out, in, offset, count))

void closefrom(int first)
{
	close_range(first < 0 ? 0 : (unsigned)first, ~0U, 0);
}
