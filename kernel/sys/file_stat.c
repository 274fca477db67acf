/* SPDX-License-Identifier: MIT */
/* Attributes: stat(2), statx(2), access(2), chmod(2), chown(2), utimensat(2), statfs(2). */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/sys/sys.h"
#include "kernel/time/timespec.h"
#include "kernel/vfs/notify.h"
#include "kernel/vfs/path.h"
#include "kernel/vfs/vfs.h"

#define KEEP_ID UINT32_MAX

/* How a path is walked under the flags of an ...at() call. */
static unsigned int walk_flags(int flags)
{
	return (flags & LINUX_AT_SYMLINK_NOFOLLOW ? 0 : PATH_FOLLOW) | (flags & LINUX_AT_EMPTY_PATH ? PATH_EMPTY : 0);
}

/* Flags of the path walk for stat and statx. */
static unsigned int stat_walk_flags(int flags)
{
	return walk_flags(flags) | (flags & LINUX_AT_EMPTY_PATH ? PATH_NULL : 0);
}

/* The inode of a descriptor, O_PATH or not; NULL for a bad one. */
static struct inode *inode_of(int fd)
{
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	return file ? file->inode : NULL;
}

/* The open file of a descriptor that is not O_PATH, or NULL. */
static struct file *described_file(int fd)
{
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	return file && !(file->flags & LINUX_O_PATH) ? file : NULL;
}

static long tell_stat(const struct inode *inode, struct linux_stat *user)
{
	struct linux_stat st;
	inode_stat(inode, &st);
	return copy_to_user(user, &st, sizeof(st));
}

long sys_newfstatat(int dirfd, const char *path, struct linux_stat *st, int flags)
{
	struct inode *inode;
	if (flags & ~(LINUX_AT_SYMLINK_NOFOLLOW | LINUX_AT_EMPTY_PATH | LINUX_AT_NO_AUTOMOUNT))
		return -EINVAL;
	int error = path_find(dirfd, path, stat_walk_flags(flags), &inode);
	return error < 0 ? error : tell_stat(inode, st);
}

long sys_stat(const char *path, struct linux_stat *st)
{
	return sys_newfstatat(LINUX_AT_FDCWD, path, st, 0);
}

long sys_lstat(const char *path, struct linux_stat *st)
{
	return sys_newfstatat(LINUX_AT_FDCWD, path, st, LINUX_AT_SYMLINK_NOFOLLOW);
}

long sys_fstat(int fd, struct linux_stat *st)
{
	struct inode *inode = inode_of(fd);
	return inode ? tell_stat(inode, st) : -EBADF;
}

static struct linux_statx_timestamp statx_time(const struct linux_timespec *ts)
{
	return (struct linux_statx_timestamp){.tv_sec = ts->tv_sec, .tv_nsec = (uint32_t)ts->tv_nsec};
}

/* Fills struct statx from struct stat, field by field: the stack has no room for two of them. */
static void fill_statx(const struct inode *inode, struct linux_statx *to)
{
	struct linux_stat st;
	inode_stat(inode, &st);
	struct linux_timespec btime = timespec_from_ns(inode->btime_ns);
	memset(to, 0, sizeof(*to));
	to->stx_mask = LINUX_STATX_BASIC_STATS | LINUX_STATX_BTIME;
	to->stx_blksize = (uint32_t)st.st_blksize;
	to->stx_nlink = (uint32_t)st.st_nlink;
	to->stx_uid = st.st_uid;
	to->stx_gid = st.st_gid;
	to->stx_mode = (uint16_t)st.st_mode;
	to->stx_ino = st.st_ino;
	to->stx_size = (uint64_t)st.st_size;
	to->stx_blocks = (uint64_t)st.st_blocks;
	to->stx_atime = statx_time(&st.st_atim);
	to->stx_mtime = statx_time(&st.st_mtim);
	to->stx_ctime = statx_time(&st.st_ctim);
	to->stx_btime = statx_time(&btime);
	to->stx_rdev_major = (uint32_t)(st.st_rdev >> 8);
	to->stx_rdev_minor = (uint32_t)(st.st_rdev & 0xff);
	to->stx_dev_minor = (uint32_t)st.st_dev;
}

long sys_statx(int dirfd, const char *path, int flags, unsigned int mask, struct linux_statx *user)
{
	struct inode *inode;
	struct linux_statx st;
	int known = LINUX_AT_SYMLINK_NOFOLLOW | LINUX_AT_EMPTY_PATH | LINUX_AT_NO_AUTOMOUNT | LINUX_AT_STATX_SYNC_TYPE;
	if ((mask & LINUX_STATX__RESERVED) || (flags & ~known) ||
	    (flags & LINUX_AT_STATX_SYNC_TYPE) == LINUX_AT_STATX_SYNC_TYPE)
		return -EINVAL;
	int error = path_find(dirfd, path, stat_walk_flags(flags), &inode);
	if (error < 0)
		return error;
	fill_statx(inode, &st);
	return copy_to_user(user, &st, sizeof(st));
}

long sys_faccessat2(int dirfd, const char *path, int mode, int flags)
{
	struct inode *inode;
	if ((mode & ~(LINUX_R_OK | LINUX_W_OK | LINUX_X_OK)) ||
	    (flags & ~(LINUX_AT_EACCESS | LINUX_AT_SYMLINK_NOFOLLOW | LINUX_AT_EMPTY_PATH)))
		return -EINVAL;
	int error = path_find(dirfd, path, walk_flags(flags), &inode);
	return error < 0 ? error : inode_permission(inode, mode);
}

long sys_faccessat(int dirfd, const char *path, int mode)
{
	return sys_faccessat2(dirfd, path, mode, 0);
}

long sys_access(const char *path, int mode)
{
	return sys_faccessat2(LINUX_AT_FDCWD, path, mode, 0);
}

/* In this and the following functions file is NULL if the object was found by a path. */
static long set_mode(struct inode *inode, const struct file *file, unsigned int mode)
{
	int error = inode_writable(inode);
	if (error < 0)
		return error;
	if (LINUX_S_ISLNK(inode->mode))
		return -EOPNOTSUPP;
	error = inode_ownership(inode);
	if (error < 0)
		return error;
	inode->mode = (inode->mode & LINUX_S_IFMT) | (mode & 07777);
	inode_changed(inode);
	notify_object(inode, file, NOTIFY_ATTRIB);
	return 0;
}

long sys_fchmodat2(int dirfd, const char *path, unsigned int mode, int flags)
{
	struct inode *inode;
	if (flags & ~(LINUX_AT_SYMLINK_NOFOLLOW | LINUX_AT_EMPTY_PATH))
		return -EINVAL;
	int error = path_find(dirfd, path, walk_flags(flags), &inode);
	return error < 0 ? error : set_mode(inode, NULL, mode);
}

long sys_fchmodat(int dirfd, const char *path, unsigned int mode)
{
	return sys_fchmodat2(dirfd, path, mode, 0);
}

long sys_chmod(const char *path, unsigned int mode)
{
	return sys_fchmodat(LINUX_AT_FDCWD, path, mode);
}

long sys_fchmod(int fd, unsigned int mode)
{
	const struct file *file = described_file(fd);
	return file ? set_mode(file->inode, file, mode) : -EBADF;
}

/* A change of owner clears the set-ID bits, except of a directory. */
static long set_file_owner(struct inode *inode, const struct file *file, unsigned int uid, unsigned int gid)
{
	int error = inode_writable(inode);
	if (error == 0)
		error = inode_ownership(inode);
	if (error < 0)
		return error;
	const uint32_t old_mode = inode->mode;
	if (uid != KEEP_ID)
		inode->uid = uid;
	if (gid != KEEP_ID)
		inode->gid = gid;
	if (!LINUX_S_ISDIR(inode->mode)) {
		inode->mode &= ~(uint32_t)LINUX_S_ISUID;
		if (inode->mode & LINUX_S_IXGRP)
			inode->mode &= ~(uint32_t)LINUX_S_ISGID;
	}
	inode_changed(inode);
	if (uid != KEEP_ID || gid != KEEP_ID || inode->mode != old_mode)
		notify_object(inode, file, NOTIFY_ATTRIB);
	return 0;
}

long sys_fchownat(int dirfd, const char *path, unsigned int uid, unsigned int gid, int flags)
{
	struct inode *inode;
	if (flags & ~(LINUX_AT_SYMLINK_NOFOLLOW | LINUX_AT_EMPTY_PATH))
		return -EINVAL;
	int error = path_find(dirfd, path, walk_flags(flags), &inode);
	return error < 0 ? error : set_file_owner(inode, NULL, uid, gid);
}

long sys_chown(const char *path, unsigned int uid, unsigned int gid)
{
	return sys_fchownat(LINUX_AT_FDCWD, path, uid, gid, 0);
}

long sys_lchown(const char *path, unsigned int uid, unsigned int gid)
{
	return sys_fchownat(LINUX_AT_FDCWD, path, uid, gid, LINUX_AT_SYMLINK_NOFOLLOW);
}

long sys_fchown(int fd, unsigned int uid, unsigned int gid)
{
	const struct file *file = described_file(fd);
	return file ? set_file_owner(file->inode, file, uid, gid) : -EBADF;
}

static bool valid_time(const struct linux_timespec *ts)
{
	return ts->tv_nsec == LINUX_UTIME_NOW || ts->tv_nsec == LINUX_UTIME_OMIT ||
	       (ts->tv_nsec >= 0 && ts->tv_nsec < NS_PER_S);
}

/* Seconds out of the range of 64-bit nanoseconds (the years 1677 to 2262) are clamped. */
static void set_time(int64_t *ns, const struct linux_timespec *ts)
{
	if (ts->tv_nsec == LINUX_UTIME_OMIT)
		return;
	if (ts->tv_nsec == LINUX_UTIME_NOW) {
		*ns = inode_time();
		return;
	}
	int64_t limit = INT64_MAX / NS_PER_S - 1, sec = ts->tv_sec;
	sec = sec > limit ? limit : sec < -limit ? -limit : sec;
	*ns = sec * NS_PER_S + ts->tv_nsec;
}

static void set_times(struct inode *inode, const struct file *file, const struct linux_timespec times[2])
{
	set_time(&inode->atime_ns, &times[0]);
	set_time(&inode->mtime_ns, &times[1]);
	inode_changed(inode);
	notify_object(inode, file,
	              times[0].tv_nsec == LINUX_UTIME_OMIT   ? NOTIFY_MODIFY
	              : times[1].tv_nsec == LINUX_UTIME_OMIT ? NOTIFY_ACCESS
	                                                     : NOTIFY_ATTRIB);
}

/* Who may write to an object may set both times to now; only its owner may set others. */
static int may_set_times(struct inode *inode, const struct linux_timespec times[2])
{
	const bool both_now = times[0].tv_nsec == LINUX_UTIME_NOW && times[1].tv_nsec == LINUX_UTIME_NOW;
	int error = inode_ownership(inode);
	return error && both_now ? -EACCES : error;
}

/* Sets the times of the object of a path, or without a path of a descriptor. */
static long set_times_at(int dirfd, const char *path, const struct linux_timespec times[2], int flags)
{
	struct inode *inode;
	const struct file *file = NULL;
	if (times[0].tv_nsec == LINUX_UTIME_OMIT && times[1].tv_nsec == LINUX_UTIME_OMIT)
		return 0;
	if (!path && dirfd != LINUX_AT_FDCWD) { /* futimens(3) */
		if (flags)
			return -EINVAL;
		file = described_file(dirfd);
		if (!file)
			return -EBADF;
		inode = file->inode;
	} else {
		if (flags & ~(LINUX_AT_SYMLINK_NOFOLLOW | LINUX_AT_EMPTY_PATH))
			return -EINVAL;
		int error = path_find(dirfd, path, walk_flags(flags), &inode);
		if (error < 0)
			return error;
	}
	if (!valid_time(&times[0]) || !valid_time(&times[1]))
		return -EINVAL;
	int error = inode_writable(inode);
	if (error == 0 && !file)
		error = may_set_times(inode, times);
	if (error == 0)
		set_times(inode, file, times);
	return error;
}

long sys_utimensat(int dirfd, const char *path, const struct linux_timespec *user, int flags)
{
	struct linux_timespec times[2] = {{0, LINUX_UTIME_NOW}, {0, LINUX_UTIME_NOW}};
	if (user && copy_from_user(times, user, sizeof(times)) < 0)
		return -EFAULT;
	return set_times_at(dirfd, path, times, flags);
}

long sys_futimesat(int dirfd, const char *path, const struct linux_timeval *user)
{
	struct linux_timespec times[2] = {{0, LINUX_UTIME_NOW}, {0, LINUX_UTIME_NOW}};
	struct linux_timeval given[2];
	if (user && copy_from_user(given, user, sizeof(given)) < 0)
		return -EFAULT;
	for (int i = 0; user && i < 2; i++) {
		if (given[i].tv_usec < 0 || given[i].tv_usec >= 1000000)
			return -EINVAL;
		times[i] = (struct linux_timespec){given[i].tv_sec, given[i].tv_usec * 1000};
	}
	return set_times_at(dirfd, path, times, 0);
}

long sys_utimes(const char *path, const struct linux_timeval *times)
{
	return sys_futimesat(LINUX_AT_FDCWD, path, times);
}

long sys_utime(const char *path, const struct linux_utimbuf *user)
{
	struct linux_timespec times[2] = {{0, LINUX_UTIME_NOW}, {0, LINUX_UTIME_NOW}};
	struct linux_utimbuf given;
	if (user && copy_from_user(&given, user, sizeof(given)) < 0)
		return -EFAULT;
	if (user) {
		times[0] = (struct linux_timespec){given.actime, 0};
		times[1] = (struct linux_timespec){given.modtime, 0};
	}
	return set_times_at(LINUX_AT_FDCWD, path, times, 0);
}

static long tell_statfs(const struct inode *inode, struct linux_statfs *user)
{
	uint64_t free = frame_free_bytes() / PAGE_SIZE;
	struct linux_statfs st = {
		.f_type = inode->mount->magic,
		.f_bsize = PAGE_SIZE,
		.f_blocks = frame_total_bytes() / PAGE_SIZE,
		.f_bfree = free,
		.f_bavail = free,
		.f_files = frame_total_bytes() / PAGE_SIZE,
		.f_ffree = free,
		.f_fsid = {(int32_t)inode->mount->dev, 0},
		.f_namelen = LINUX_NAME_MAX,
		.f_frsize = PAGE_SIZE,
		.f_flags = 0x1020 | inode->mount->read_only, /* ST_VALID, ST_RELATIME, ST_RDONLY */
	};
	return copy_to_user(user, &st, sizeof(st));
}

long sys_statfs(const char *path, struct linux_statfs *buf)
{
	struct inode *inode;
	int error = path_find(LINUX_AT_FDCWD, path, PATH_FOLLOW, &inode);
	return error < 0 ? error : tell_statfs(inode, buf);
}

long sys_fstatfs(int fd, struct linux_statfs *buf)
{
	struct inode *inode = inode_of(fd);
	return inode ? tell_statfs(inode, buf) : -EBADF;
}
