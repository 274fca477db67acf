/* SPDX-License-Identifier: MIT */
/* Attributes of files: stat(2), statfs(2), modes, owners and times. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "libc-port/src/kernel.h"

KERNEL_FUNCTION(int, stat, (const char *restrict path, struct stat *restrict buf), (path, (struct linux_stat *)buf))
KERNEL_FUNCTION(int, lstat, (const char *restrict path, struct stat *restrict buf), (path, (struct linux_stat *)buf))
KERNEL_FUNCTION(int, fstat, (int fd, struct stat *buf), (fd, (struct linux_stat *)buf))

int fstatat(int dirfd, const char *restrict path, struct stat *restrict buf, int flags)
{
	return (int)kernel_result(kcall_newfstatat(dirfd, path, (struct linux_stat *)buf, flags));
}

KERNEL_FUNCTION(int, chmod, (const char *path, mode_t mode), (path, mode))
KERNEL_FUNCTION(int, fchmod, (int fd, mode_t mode), (fd, mode))

int fchmodat(int dirfd, const char *path, mode_t mode, int flags)
{
	if (flags & ~AT_SYMLINK_NOFOLLOW)
		return kernel_refuse(EINVAL);
	if (flags) {
		struct stat st;
		if (fstatat(dirfd, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return -1;
		if (S_ISLNK(st.st_mode))
			return kernel_refuse(EOPNOTSUPP);
	}
	return (int)kernel_result(kcall_fchmodat(dirfd, path, mode));
}

int lchmod(const char *path, mode_t mode)
{
	return fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW);
}

KERNEL_FUNCTION(int, chown, (const char *path, uid_t owner, gid_t group), (path, owner, group))
KERNEL_FUNCTION(int, fchown, (int fd, uid_t owner, gid_t group), (fd, owner, group))
KERNEL_FUNCTION(int, lchown, (const char *path, uid_t owner, gid_t group), (path, owner, group))
KERNEL_FUNCTION(int, fchownat, (int dirfd, const char *path, uid_t owner, gid_t group, int flags),
                (dirfd, path, owner, group, flags))

mode_t umask(mode_t mask)
{
	return (mode_t)kcall_umask(mask);
}

KERNEL_FUNCTION(int, access, (const char *path, int mode), (path, mode))

int faccessat(int dirfd, const char *path, int mode, int flags)
{
	return (int)kernel_result(kcall_faccessat2(dirfd, path, mode, flags));
}

int eaccess(const char *path, int mode)
{
	return faccessat(AT_FDCWD, path, mode, AT_EACCESS);
}

int euidaccess(const char *path, int mode)
{
	return eaccess(path, mode);
}

int utimensat(int dirfd, const char *path, const struct timespec times[2], int flags)
{
	if (!path)
		return kernel_refuse(EINVAL);
	return (int)kernel_result(kcall_utimensat(dirfd, path, (const struct linux_timespec *)times, flags));
}

int futimens(int fd, const struct timespec times[2])
{
	return (int)kernel_result(kcall_utimensat(fd, NULL, (const struct linux_timespec *)times, 0));
}

static int set_times(int dirfd, const char *path, const struct timeval *times, int flags)
{
	struct timespec ts[2];
	if (!times)
		return (int)kernel_result(kcall_utimensat(dirfd, path, NULL, flags));
	for (int i = 0; i < 2; i++) {
		if (times[i].tv_usec < 0 || times[i].tv_usec >= 1000000)
			return kernel_refuse(EINVAL);
		ts[i] = (struct timespec){times[i].tv_sec, times[i].tv_usec * 1000};
	}
	return (int)kernel_result(kcall_utimensat(dirfd, path, (const struct linux_timespec *)ts, flags));
}

int utimes(const char *path, const struct timeval *times)
{
	return set_times(AT_FDCWD, path, times, 0);
}

int lutimes(const char *path, const struct timeval *times)
{
	return set_times(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

int futimes(int fd, const struct timeval *times)
{
	return set_times(fd, NULL, times, 0);
}

int futimesat(int dirfd, const char *path, const struct timeval times[2])
{
	return set_times(dirfd, path, times, 0);
}

int utime(const char *path, const struct utimbuf *times)
{
	if (!times)
		return utimes(path, NULL);
	struct timeval tv[2] = {{times->actime, 0}, {times->modtime, 0}};
	return utimes(path, tv);
}

KERNEL_FUNCTION(int, statfs, (const char *path, struct statfs *buf), (path, (struct linux_statfs *)buf))
KERNEL_FUNCTION(int, fstatfs, (int fd, struct statfs *buf), (fd, (struct linux_statfs *)buf))

static int to_statvfs(const struct statfs *from, struct statvfs *to)
{
	*to = (struct statvfs){
		.f_bsize = (unsigned long)from->f_bsize,
		.f_frsize = (unsigned long)(from->f_frsize ? from->f_frsize : from->f_bsize),
		.f_blocks = from->f_blocks,
		.f_bfree = from->f_bfree,
		.f_bavail = from->f_bavail,
		.f_files = from->f_files,
		.f_ffree = from->f_ffree,
		.f_favail = from->f_ffree,
		.f_fsid = (unsigned)from->f_fsid.__val[0] | (unsigned long)(unsigned)from->f_fsid.__val[1] << 32,
		.f_flag = (unsigned long)from->f_flags & ~0x20UL, /* without the kernel's ST_VALID */
		.f_namemax = (unsigned long)from->f_namelen,
	};
	return 0;
}

int statvfs(const char *restrict path, struct statvfs *restrict buf)
{
	struct statfs from;
	return statfs(path, &from) < 0 ? -1 : to_statvfs(&from, buf);
}

int fstatvfs(int fd, struct statvfs *buf)
{
	struct statfs from;
	return fstatfs(fd, &from) < 0 ? -1 : to_statvfs(&from, buf);
}

KERNEL_FUNCTION(int, mknodat, (int dirfd, const char *path, mode_t mode, dev_t dev), (dirfd, path, mode, (unsigned)dev))

int mknod(const char *path, mode_t mode, dev_t dev)
{
	return mknodat(AT_FDCWD, path, mode, dev);
}

int mkfifoat(int dirfd, const char *path, mode_t mode)
{
	return mknodat(dirfd, path, mode | S_IFIFO, 0);
}

int mkfifo(const char *path, mode_t mode)
{
	return mkfifoat(AT_FDCWD, path, mode);
}
