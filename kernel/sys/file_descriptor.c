/* SPDX-License-Identifier: MIT */
/* Descriptors: open(2), close(2), close_range(2), dup(2), fcntl(2), pipe(2), ioctl(2). */
#include "kernel/sys/file_descriptor.h"

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/personality.h"
#include "kernel/sys/file_lock.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/pipe.h"
#include "kernel/vfs/vfs.h"

#define F_OWNER_EX_BYTES 8 /* struct f_owner_ex */

/* Flags that F_SETFL changes. */
#define SETTABLE (LINUX_O_APPEND | LINUX_O_NONBLOCK | LINUX_O_ASYNC | LINUX_O_DIRECT | LINUX_O_NOATIME)

static struct fdtable *own_fdtable(void)
{
	return &process_current->files->fds;
}

/* An open file that is not O_PATH, or NULL. */
static struct file *usable_file(int fd)
{
	struct file *file = fdtable_get(own_fdtable(), fd);
	return file && !(file->flags & LINUX_O_PATH) ? file : NULL;
}

long sys_openat(int dirfd, const char *path, int flags, unsigned int mode)
{
	struct file *file;
	int fd = fdtable_find(own_fdtable(), 0);
	flags &= LINUX_O_KNOWN;
	if (flags & LINUX_O_SYNC & ~LINUX_O_DSYNC)
		flags |= LINUX_O_DSYNC;
	if (fd < 0)
		return fd;
	fdtable_reserve(own_fdtable(), fd); /* as on Linux: opening a FIFO may wait, and others open files meanwhile */
	int error = file_open(dirfd, path, flags, mode, &file);
	if (error < 0) {
		fdtable_release(own_fdtable(), fd);
		return error;
	}
	if (flags & LINUX_O_DIRECT && !LINUX_S_ISREG(file->inode->mode) && !(flags & LINUX_O_PATH)) {
		fdtable_release(own_fdtable(), fd);
		file_put(file);
		return -EINVAL;
	}
	fdtable_install(own_fdtable(), fd, file, flags & LINUX_O_CLOEXEC);
	return fd;
}

long sys_open(const char *path, int flags, unsigned int mode)
{
	return sys_openat(LINUX_AT_FDCWD, path, flags, mode);
}

long sys_creat(const char *path, unsigned int mode)
{
	return sys_openat(LINUX_AT_FDCWD, path, LINUX_O_CREAT | LINUX_O_WRONLY | LINUX_O_TRUNC, mode);
}

long sys_close(int fd)
{
	return fdtable_close(own_fdtable(), fd);
}

long sys_close_range(unsigned int first, unsigned int last, unsigned int flags)
{
	if ((flags & ~(LINUX_CLOSE_RANGE_UNSHARE | LINUX_CLOSE_RANGE_CLOEXEC)) || first > last)
		return -EINVAL;
	const unsigned int end = last < own_fdtable()->room ? last + 1 : own_fdtable()->room;
	for (unsigned int fd = first; (fd = fdtable_first(own_fdtable(), fd, end)) < end; fd++) {
		if (!(flags & LINUX_CLOSE_RANGE_CLOEXEC))
			fdtable_close(own_fdtable(), (int)fd);
		else
			fdtable_set_cloexec(own_fdtable(), (int)fd, true);
	}
	return 0;
}

static long duplicate(int fd, unsigned int min, bool cloexec)
{
	struct file *file = fdtable_get(own_fdtable(), fd);
	if (!file)
		return -EBADF;
	int new_fd = fdtable_find(own_fdtable(), min);
	if (new_fd >= 0)
		fdtable_install(own_fdtable(), new_fd, file_get(file), cloexec);
	return new_fd;
}

long sys_dup(int fd)
{
	return duplicate(fd, 0, false);
}

static long duplicate_to(int fd, int new_fd, bool cloexec)
{
	struct file *file = fdtable_get(own_fdtable(), fd);
	if (!file || (unsigned int)new_fd >= fdtable_limit())
		return -EBADF;
	if (fdtable_reserved(own_fdtable(), new_fd))
		return -EBUSY;
	int error = fdtable_reach(own_fdtable(), (unsigned int)new_fd);
	if (error)
		return error;
	file_get(file);
	fdtable_close(own_fdtable(), new_fd);
	fdtable_install(own_fdtable(), new_fd, file, cloexec);
	return new_fd;
}

long sys_dup2(int fd, int new_fd)
{
	if (fd == new_fd)
		return fdtable_get(own_fdtable(), fd) ? fd : -EBADF;
	return duplicate_to(fd, new_fd, false);
}

long sys_dup3(int fd, int new_fd, int flags)
{
	if ((flags & ~LINUX_O_CLOEXEC) || fd == new_fd)
		return -EINVAL;
	return duplicate_to(fd, new_fd, flags & LINUX_O_CLOEXEC);
}

long file_descriptor_no_owner(struct file *, int command, unsigned long arg)
{
	switch (command) {
	case LINUX_F_SETOWN:
	case LINUX_F_GETOWN:
		return 0;
	case LINUX_F_GETOWN_EX: /* C libraries ask with this one; there is no owner */
		return clear_user((void *)arg, F_OWNER_EX_BYTES);
	default:
		return -EINVAL;
	}
}

/* Changes flags. 0 or -ENOMEM. */
static int set_status_flags(struct file *file, int fd, int flags)
{
	if (LINUX_S_ISREG(file->inode->mode)) /* it sends no signals */
		flags &= ~LINUX_O_ASYNC;
	if ((flags ^ file->flags) & LINUX_O_ASYNC && personality.file_set_async(fd, file, flags & LINUX_O_ASYNC))
		return -ENOMEM;
	file->flags = flags;
	return 0;
}

static long control_file(struct file *file, int fd, int command, unsigned long arg)
{
	struct pipe *pipe = pipe_of(file);
	switch (command) {
	case LINUX_F_SETFL:
		if (arg & LINUX_O_DIRECT && !pipe && !LINUX_S_ISREG(file->inode->mode))
			return -EINVAL;
		return set_status_flags(file, fd, (file->flags & ~SETTABLE) | ((int)arg & SETTABLE));
	case LINUX_F_GETLK:
	case LINUX_F_SETLK:
	case LINUX_F_SETLKW:
	case LINUX_F_OFD_GETLK:
	case LINUX_F_OFD_SETLK:
	case LINUX_F_OFD_SETLKW:
		return file_lock_control(fd, command, (struct linux_flock *)arg);
	case LINUX_F_SETOWN:
	case LINUX_F_GETOWN:
	case LINUX_F_SETSIG:
	case LINUX_F_GETSIG:
	case LINUX_F_SETOWN_EX:
	case LINUX_F_GETOWN_EX:
		return personality.file_owner(file, command, arg);
	case LINUX_F_GETLEASE:
		return LINUX_F_UNLCK; /* there are no leases */
	case LINUX_F_GETPIPE_SZ:
		return pipe ? pipe_size(pipe) : -EBADF;
	case LINUX_F_SETPIPE_SZ:
		return pipe ? pipe_resize(pipe, arg) : -EBADF;
	default:
		return file->ops->control ? file->ops->control(file, command, arg) : -EINVAL;
	}
}

long sys_fcntl(int fd, int command, unsigned long arg)
{
	struct file *file = fdtable_get(own_fdtable(), fd);
	if (!file)
		return -EBADF;
	switch (command) {
	case LINUX_F_DUPFD:
	case LINUX_F_DUPFD_CLOEXEC:
		if ((unsigned int)arg >= fdtable_limit())
			return -EINVAL;
		return duplicate(fd, (unsigned int)arg, command == LINUX_F_DUPFD_CLOEXEC);
	case LINUX_F_GETFD:
		return fdtable_cloexec(own_fdtable(), fd) ? LINUX_FD_CLOEXEC : 0;
	case LINUX_F_SETFD:
		fdtable_set_cloexec(own_fdtable(), fd, arg & LINUX_FD_CLOEXEC);
		return 0;
	case LINUX_F_GETFL:
		return file->flags;
	default:
		return file->flags & LINUX_O_PATH ? -EBADF : control_file(file, fd, command, arg);
	}
}

long sys_pipe2(int *fds, int flags)
{
	struct file *reader, *writer;
	if (flags & ~(LINUX_O_CLOEXEC | LINUX_O_NONBLOCK | LINUX_O_DIRECT))
		return -EINVAL;
	int numbers[2];
	numbers[0] = fdtable_find(own_fdtable(), 0);
	numbers[1] = numbers[0] < 0 ? numbers[0] : fdtable_find(own_fdtable(), (unsigned int)numbers[0] + 1);
	if (numbers[1] < 0)
		return numbers[1];
	int error = pipe_open(flags & ~LINUX_O_CLOEXEC, &reader, &writer);
	if (error == 0 && copy_to_user(fds, numbers, sizeof(numbers)) < 0) {
		file_put(reader);
		file_put(writer);
		error = -EFAULT;
	}
	if (error < 0)
		return error;
	fdtable_install(own_fdtable(), numbers[0], reader, flags & LINUX_O_CLOEXEC);
	fdtable_install(own_fdtable(), numbers[1], writer, flags & LINUX_O_CLOEXEC);
	return 0;
}

long sys_pipe(int *fds)
{
	return sys_pipe2(fds, 0);
}

/* FIONREAD of a regular file: the bytes between the position and the end. */
static long unread(struct file *file, void *arg)
{
	int left = (int)((int64_t)file->inode->size - file->pos);
	return copy_to_user(arg, &left, sizeof(left));
}

long file_descriptor_ioctl(int fd, unsigned long request, void *arg)
{
	struct file *file = usable_file(fd);
	int on, flag;
	if (!file)
		return -EBADF;
	request &= UINT32_MAX;
	switch (request) {
	case LINUX_FIOCLEX:
	case LINUX_FIONCLEX:
		fdtable_set_cloexec(own_fdtable(), fd, request == LINUX_FIOCLEX);
		return 0;
	case LINUX_FIONBIO:
	case LINUX_FIOASYNC:
		if (copy_from_user(&on, arg, sizeof(on)) < 0)
			return -EFAULT;
		flag = request == LINUX_FIONBIO ? LINUX_O_NONBLOCK : LINUX_O_ASYNC;
		if (flag == LINUX_O_ASYNC && !file->ops->poll && on)
			return -ENOTTY;
		file->flags = on ? file->flags | flag : file->flags & ~flag;
		return 0;
	case LINUX_FIONREAD:
		if (LINUX_S_ISREG(file->inode->mode))
			return unread(file, arg);
		break;
	default:
		break;
	}
	return file->ops->ioctl ? file->ops->ioctl(file, request, arg) : -ENOTTY;
}
