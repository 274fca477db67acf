/* SPDX-License-Identifier: MIT */
/* File locks: flock(2) and the lock commands of fcntl(2). */
#include "kernel/sys/file_lock.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/lock.h"
#include "kernel/vfs/vfs.h"

/* The range of a request, counted from its whence. Returns 0, -EINVAL or -EOVERFLOW. */
static int range_of(const struct file *file, const struct linux_flock *request, struct lock_range *range)
{
	int64_t base = 0, start;
	if (request->l_whence == LINUX_SEEK_CUR)
		base = file->pos;
	else if (request->l_whence == LINUX_SEEK_END)
		base = (int64_t)file->inode->size;
	else if (request->l_whence != LINUX_SEEK_SET)
		return -EINVAL;
	if (__builtin_add_overflow(base, request->l_start, &start))
		return -EOVERFLOW;
	if (start < 0)
		return -EINVAL;
	range->start = start;
	range->last = INT64_MAX;
	if (request->l_len > 0) {
		if (__builtin_add_overflow(start, request->l_len - 1, &range->last))
			return -EOVERFLOW;
	} else if (request->l_len < 0) {
		range->start = start + request->l_len;
		range->last = start - 1;
		if (range->start < 0)
			return -EINVAL;
	}
	range->type = request->l_type;
	return request->l_type < LINUX_F_RDLCK || request->l_type > LINUX_F_UNLCK ? -EINVAL : 0;
}

static long get_lock(struct file *file, struct lock_range *range, struct linux_flock *request, struct linux_flock *user)
{
	lock_test(file, range);
	request->l_type = (int16_t)range->type;
	if (range->type != LINUX_F_UNLCK) {
		request->l_whence = LINUX_SEEK_SET;
		request->l_start = range->start;
		request->l_len = range->last == INT64_MAX ? 0 : range->last - range->start + 1;
		request->l_pid = range->of_file ? -1 : (int)range->process;
	}
	return copy_to_user(user, request, sizeof(*request));
}

/* Sets a lock; may wait. Closing a descriptor of the file removes record locks, also if another thread has closed it
 * meanwhile (Linux: EBADF). */
static long set_lock(int fd, struct file *file, const struct lock_range *range, bool wait)
{
	file_get(file);
	int error = lock_set(file, range, wait);
	bool stays =
		range->of_file || range->type == LINUX_F_UNLCK || fdtable_get(&process_current->files->fds, fd) == file;
	if (error == 0 && !stays) {
		struct lock_range undone = *range;
		undone.type = LINUX_F_UNLCK;
		lock_set(file, &undone, false);
		error = -EBADF;
	}
	file_put(file);
	return error;
}

long file_lock_control(int fd, int command, struct linux_flock *user)
{
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	struct linux_flock request;
	struct lock_range range = {.of_file = command >= LINUX_F_OFD_GETLK};
	if (copy_from_user(&request, user, sizeof(request)) < 0)
		return -EFAULT;
	if (command == LINUX_F_GETLK && request.l_type != LINUX_F_RDLCK && request.l_type != LINUX_F_WRLCK)
		return -EINVAL;
	int error = range_of(file, &request, &range);
	if (error < 0)
		return error;
	bool asks = command == LINUX_F_GETLK || command == LINUX_F_OFD_GETLK;
	if (!asks &&
	    ((range.type == LINUX_F_RDLCK && !file->readable) || (range.type == LINUX_F_WRLCK && !file->writable)))
		return -EBADF;
	if (range.of_file && request.l_pid != 0)
		return -EINVAL;
	if (asks)
		return get_lock(file, &range, &request, user);
	return set_lock(fd, file, &range, command == LINUX_F_SETLKW || command == LINUX_F_OFD_SETLKW);
}

long sys_flock(int fd, int operation)
{
	int type;
	if (operation & LINUX_LOCK_MAND) /* has no effect since Linux 5.5 */
		return 0;
	switch (operation & ~LINUX_LOCK_NB) {
	case LINUX_LOCK_SH:
		type = LINUX_F_RDLCK;
		break;
	case LINUX_LOCK_EX:
		type = LINUX_F_WRLCK;
		break;
	case LINUX_LOCK_UN:
		type = LINUX_F_UNLCK;
		break;
	default:
		return -EINVAL;
	}
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	if (!file || (file->flags & LINUX_O_PATH))
		return -EBADF;
	if (type != LINUX_F_UNLCK && !file->readable && !file->writable)
		return -EBADF;
	file_get(file);
	int error = lock_whole(file, type, !(operation & LINUX_LOCK_NB));
	file_put(file);
	return error;
}
