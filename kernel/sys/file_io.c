/* SPDX-License-Identifier: MIT */
/* Reading and writing: read(2), write(2), pread(2), readv(2), lseek(2), fallocate(2) and related calls. */
#include "kernel/sys/file_io.h"

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/vm.h"
#include "kernel/personality.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/notify.h"
#include "kernel/vfs/path.h"
#include "kernel/vfs/pipe.h"
#include "kernel/vfs/vfs.h"

#define FALLOC_KNOWN 0x7b /* all FALLOC_FL_* but NO_HIDE_STALE */

/* Whether count bytes from the position would end beyond the largest offset. */
static bool beyond_offsets(const struct file *file, unsigned long count, const int64_t *pos)
{
	return file->ops->seek && (uint64_t)(pos ? *pos : file->pos) + count > INT64_MAX;
}

file_io_vector *file_io_own_vector(const struct file *file, bool)
{
	return file->ops->vector;
}

/* Reads (VM_WRITE) or writes (VM_READ) with a buffer that is only partly accessible: transfers its accessible start,
 * where Linux transfers as much. A pipe takes whole pages. */
__attribute__((cold)) static long transfer_mapped(struct file *file, void *buf, unsigned long count, int64_t *pos,
                                                  int right)
{
	const uint32_t mode = file->inode->mode;
	bool is_pipe = LINUX_S_ISFIFO(mode) && right == VM_READ;
	file_io_vector *as_one = is_pipe ? personality.file_vector(file, true) : NULL;
	if (as_one)
		return as_one(file, &(struct linux_iovec){buf, count}, 1, true);
	uint64_t bytes = vm_reach((uint64_t)buf, count, right);
	if (is_pipe)
		bytes &= ~(PAGE_SIZE - 1UL);
	else if (!LINUX_S_ISREG(mode) && !LINUX_S_ISCHR(mode))
		return -EFAULT;
	if (!bytes || bytes == count)
		return -EFAULT;
	return right == VM_READ ? file->ops->write(file, buf, bytes, pos) : file->ops->read(file, buf, bytes, pos);
}

/* Whether a transfer is a whole call, whose event is reported (notify.h), or a piece of one. */
enum part { WHOLE, PIECE };

/* Reads or writes one piece at *pos, or at the file's own position when pos is NULL. The call may wait, and another
 * thread may close the descriptor meanwhile: the file stays open until the call ends. */
static long transfer_read(struct file *file, void *buf, unsigned long count, int64_t *pos, enum part part)
{
	if (!file->ops->read)
		return -EINVAL;
	if ((long)count < 0)
		return -EFAULT; /* no buffer is that large */
	if (beyond_offsets(file, count, pos))
		return -EINVAL;
	if (count > LINUX_MAX_RW_COUNT)
		count = LINUX_MAX_RW_COUNT;
	file_get(file);
	long done = file->ops->read(file, buf, count, pos ? pos : &file->pos);
	if (done == -EFAULT)
		done = transfer_mapped(file, buf, count, pos ? pos : &file->pos, VM_WRITE);
	if (done > 0 && part == WHOLE)
		notify_file(file, NOTIFY_ACCESS);
	file_put(file);
	return done;
}

static long transfer_write(struct file *file, const void *buf, unsigned long count, int64_t *pos, int flags,
                           enum part part)
{
	if (!file->ops->write)
		return -EINVAL;
	if ((long)count < 0)
		return -EFAULT;
	if (beyond_offsets(file, count, pos))
		return -EINVAL;
	if (count > LINUX_MAX_RW_COUNT)
		count = LINUX_MAX_RW_COUNT;
	file_get(file);
	long done = file->ops->write(file, buf, count, pos ? pos : &file->pos);
	if (done == -EFAULT)
		done = transfer_mapped(file, (void *)buf, count, pos ? pos : &file->pos, VM_READ);
	if (done > 0 && part == WHOLE)
		notify_file(file, NOTIFY_MODIFY);
	file_put(file);
	if (done == -EPIPE && !(flags & LINUX_RWF_NOSIGNAL) && !file->ops->quiet)
		pipe_broken();
	return done;
}

/* Whether contents may be changed in this way. Returns 0 or -EPERM. */
static int may_change(const struct file *file, enum file_change change, uint64_t size)
{
	return file->ops->may_change ? file->ops->may_change(file, change, size) : 0;
}

static struct file *readable_file(int fd)
{
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	return file && file->readable ? file : NULL;
}

static struct file *writable(int fd)
{
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	return file && file->writable ? file : NULL;
}

long sys_read(int fd, void *buf, unsigned long count)
{
	struct file *file = readable_file(fd);
	if (!file)
		return -EBADF;
	return transfer_read(file, buf, count, NULL, WHOLE);
}

long sys_write(int fd, const void *buf, unsigned long count)
{
	struct file *file = writable(fd);
	if (!file)
		return -EBADF;
	return transfer_write(file, buf, count, NULL, 0, WHOLE);
}

/* The checks of pread(2) and pwrite(2) that precede the access mode. */
static int check_position(int fd, long offset)
{
	if (offset < 0)
		return -EINVAL;
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	if (!file || (file->flags & LINUX_O_PATH))
		return -EBADF;
	return file->ops->seek ? 0 : -ESPIPE;
}

long sys_pread64(int fd, void *buf, unsigned long count, long offset)
{
	int error = check_position(fd, offset);
	if (error < 0)
		return error;
	struct file *file = readable_file(fd);
	if (!file)
		return -EBADF;
	return transfer_read(file, buf, count, &offset, WHOLE);
}

long sys_pwrite64(int fd, const void *buf, unsigned long count, long offset)
{
	int error = check_position(fd, offset);
	if (error < 0)
		return error;
	struct file *file = writable(fd);
	if (!file)
		return -EBADF;
	return transfer_write(file, buf, count, &offset, 0, WHOLE);
}

/* Copies and checks the program's vector; NULL with an error or 0 in *result. */
static struct linux_iovec *copy_user_vector(const struct linux_iovec *user, unsigned long count, long *result)
{
	struct linux_iovec *iov = NULL;
	*result = count > LINUX_IOV_MAX ? -EINVAL : 0;
	if (*result < 0 || count == 0)
		return NULL;
	iov = kmalloc(count * sizeof(*iov));
	if (!iov)
		*result = -ENOMEM;
	else if (copy_from_user(iov, user, count * sizeof(*iov)) < 0)
		*result = -EFAULT;
	uint64_t total = 0;
	for (unsigned long i = 0; *result == 0 && i < count; i++) {
		if ((int64_t)iov[i].iov_len < 0)
			*result = -EINVAL;
		else if (iov[i].iov_len > LINUX_MAX_RW_COUNT - total)
			iov[i].iov_len = LINUX_MAX_RW_COUNT - total;
		total += iov[i].iov_len;
	}
	if (*result == 0)
		return iov;
	kfree(iov);
	return NULL;
}

static unsigned long total_of(const struct linux_iovec *iov, unsigned long count)
{
	unsigned long total = 0;
	for (unsigned long i = 0; iov && i < count; i++)
		total += iov[i].iov_len;
	return total;
}

/* Checks the flags of preadv2 and pwritev2. Not to wait, and to write all or nothing, cannot be promised here. */
static int check_vector_flags(int flags)
{
	if (flags & ~LINUX_RWF_ALL)
		return -EOPNOTSUPP;
	if ((flags & LINUX_RWF_APPEND) && (flags & LINUX_RWF_NOAPPEND))
		return -EINVAL;
	return flags & (LINUX_RWF_NOWAIT | LINUX_RWF_ATOMIC | LINUX_RWF_DONTCACHE) ? -EOPNOTSUPP : 0;
}

/* Reads or writes the pieces of a vector in order, up to the first short one. */
static long transfer_vector(struct file *file, const struct linux_iovec *user, unsigned long count, int64_t *pos,
                            bool writing, int flags)
{
	long total;
	struct linux_iovec *iov = copy_user_vector(user, count, &total);
	unsigned long asked = total_of(iov, count);
	if (asked)
		total = beyond_offsets(file, asked, pos) ? -EINVAL : check_vector_flags(flags);
	if (total < 0) {
		kfree(iov);
		return total;
	}
	/* Only for files that never wait: changes by other threads' fcntl must not be undone. */
	int kept = file->flags;
	bool changed = file->ops->seek && (flags & (LINUX_RWF_APPEND | LINUX_RWF_NOAPPEND));
	file_get(file);
	file_io_vector *as_one = personality.file_vector(file, writing);
	if (as_one && iov) {
		total = as_one(file, iov, count, writing);
		if (total == -EPIPE && !(flags & LINUX_RWF_NOSIGNAL) && !file->ops->quiet)
			pipe_broken();
		count = 0;
	}
	if (changed)
		file->flags = (kept & ~LINUX_O_APPEND) | (flags & LINUX_RWF_APPEND ? LINUX_O_APPEND : 0);
	for (unsigned long i = 0; iov && i < count; i++) {
		if (iov[i].iov_len == 0)
			continue;
		long done = writing ? transfer_write(file, iov[i].iov_base, iov[i].iov_len, pos, flags, PIECE)
		                    : transfer_read(file, iov[i].iov_base, iov[i].iov_len, pos, PIECE);
		if (done < 0 && total == 0)
			total = done;
		else if (done > 0)
			total += done;
		if (done != (long)iov[i].iov_len)
			break;
		if (!writing && !file->ops->seek && file->ops->poll && !(file->ops->poll(file) & LINUX_POLLIN))
			break; /* a pipe returns what it has */
	}
	if (changed)
		file->flags = kept;
	if (total > 0)
		notify_file(file, writing ? NOTIFY_MODIFY : NOTIFY_ACCESS);
	file_put(file);
	kfree(iov);
	return total;
}

static long read_vector(int fd, const struct linux_iovec *iov, unsigned long count, int64_t *pos, int flags)
{
	struct file *file = readable_file(fd);
	return file ? transfer_vector(file, iov, count, pos, false, flags) : -EBADF;
}

static long write_fd_vector(int fd, const struct linux_iovec *iov, unsigned long count, int64_t *pos, int flags)
{
	struct file *file = writable(fd);
	return file ? transfer_vector(file, iov, count, pos, true, flags) : -EBADF;
}

long sys_readv(int fd, const struct linux_iovec *iov, int count)
{
	return read_vector(fd, iov, (unsigned int)count, NULL, 0);
}

long sys_writev(int fd, const struct linux_iovec *iov, int count)
{
	return write_fd_vector(fd, iov, (unsigned int)count, NULL, 0);
}

/* In these calls, offset already has all 64 bits. */
long sys_preadv(int fd, const struct linux_iovec *iov, unsigned long count, long offset, long)
{
	int error = check_position(fd, offset);
	return error < 0 ? error : read_vector(fd, iov, count, &offset, 0);
}

long sys_pwritev(int fd, const struct linux_iovec *iov, unsigned long count, long offset, long)
{
	int error = check_position(fd, offset);
	return error < 0 ? error : write_fd_vector(fd, iov, count, &offset, 0);
}

long sys_preadv2(int fd, const struct linux_iovec *iov, unsigned long count, long offset, long, int flags)
{
	int error = offset == -1 ? 0 : check_position(fd, offset);
	return error < 0 ? error : read_vector(fd, iov, count, offset == -1 ? NULL : &offset, flags);
}

long sys_pwritev2(int fd, const struct linux_iovec *iov, unsigned long count, long offset, long, int flags)
{
	int error = offset == -1 ? 0 : check_position(fd, offset);
	return error < 0 ? error : write_fd_vector(fd, iov, count, offset == -1 ? NULL : &offset, flags);
}

/* An open file that is not O_PATH, or NULL. */
static struct file *transferred_file(int fd)
{
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	return file && !(file->flags & LINUX_O_PATH) ? file : NULL;
}

long file_io_seek(int fd, long offset, int whence)
{
	struct file *file = transferred_file(fd);
	if (!file)
		return -EBADF;
	if (whence < LINUX_SEEK_SET || whence > LINUX_SEEK_HOLE)
		return -EINVAL;
	return file->ops->seek ? file->ops->seek(file, offset, whence) : -ESPIPE;
}

/* All storage is memory, so there is nothing to sync. Objects without storage on Linux fail here, too. */
static long sync_file(int fd)
{
	struct file *file = transferred_file(fd);
	if (!file)
		return -EBADF;
	return LINUX_S_ISREG(file->inode->mode) || LINUX_S_ISDIR(file->inode->mode) ? 0 : -EINVAL;
}

long sys_fsync(int fd)
{
	return sync_file(fd);
}

long sys_fdatasync(int fd)
{
	return sync_file(fd);
}

long sys_sync(void)
{
	return 0;
}

long sys_syncfs(int fd)
{
	return transferred_file(fd) ? 0 : -EBADF;
}

long sys_sync_file_range(int fd, long offset, long length, unsigned int flags)
{
	struct file *file = transferred_file(fd);
	long end;
	if (!file)
		return -EBADF;
	if ((flags & ~LINUX_SYNC_FILE_RANGE_ALL) || offset < 0 || __builtin_add_overflow(offset, length, &end) ||
	    end < offset)
		return -EINVAL;
	uint32_t mode = file->inode->mode;
	return LINUX_S_ISREG(mode) || LINUX_S_ISDIR(mode) ? 0 : -ESPIPE;
}

long sys_readahead(int fd, long, unsigned long count)
{
	struct file *file = readable_file(fd);
	if (!file)
		return -EBADF;
	return !LINUX_S_ISREG(file->inode->mode) || (long)count < 0 ? -EINVAL : 0;
}

long sys_fadvise64(int fd, long, long length, int advice)
{
	struct file *file = transferred_file(fd);
	if (!file)
		return -EBADF;
	if (LINUX_S_ISFIFO(file->inode->mode))
		return -ESPIPE;
	return length < 0 || advice < 0 || advice > 5 ? -EINVAL : 0;
}

/* file: the open file by which the size is set; NULL: by its path. */
static long set_file_size(struct inode *inode, const struct file *file, long length)
{
	int error = data_truncate(inode, (uint64_t)length);
	if (error < 0)
		return error;
	inode_modified(inode);
	notify_object(inode, file, NOTIFY_MODIFY);
	return 0;
}

long sys_ftruncate(int fd, long length)
{
	if (length < 0)
		return -EINVAL;
	struct file *file = transferred_file(fd);
	if (!file)
		return -EBADF;
	if (!LINUX_S_ISREG(file->inode->mode) || !file->writable)
		return -EINVAL;
	int error = may_change(file, FILE_RESIZE, (uint64_t)length);
	return error ? error : set_file_size(file->inode, file, length);
}

long sys_truncate(const char *path, long length)
{
	struct inode *inode;
	if (length < 0)
		return -EINVAL;
	int error = path_find(LINUX_AT_FDCWD, path, PATH_FOLLOW, &inode);
	if (error < 0)
		return error;
	if (LINUX_S_ISDIR(inode->mode))
		return -EISDIR;
	if (!LINUX_S_ISREG(inode->mode))
		return -EINVAL;
	error = inode_permission(inode, LINUX_W_OK | INODE_RESIZE);
	if (!error)
		error = personality.inode_contents_writable(inode);
	return error < 0 ? error : set_file_size(inode, NULL, length);
}

int file_io_punch(const struct file *file, uint64_t offset, uint64_t bytes)
{
	int error = may_change(file, FILE_PUNCH, file->inode->size);
	if (!error)
		error = data_punch(file->inode, offset, bytes);
	if (error)
		return error;
	inode_modified(file->inode);
	notify_file(file, NOTIFY_MODIFY);
	return 0;
}

long sys_fallocate(int fd, int mode, long offset, long length)
{
	struct file *file = transferred_file(fd);
	if (!file)
		return -EBADF;
	if (offset < 0 || length <= 0)
		return -EINVAL;
	bool punch = mode & LINUX_FALLOC_FL_PUNCH_HOLE;
	if ((mode & ~FALLOC_KNOWN) || (punch && !(mode & LINUX_FALLOC_FL_KEEP_SIZE)))
		return -EOPNOTSUPP;
	if (!file->writable)
		return -EBADF;
	struct inode *inode = file->inode;
	if (LINUX_S_ISFIFO(inode->mode))
		return -ESPIPE;
	if (LINUX_S_ISDIR(inode->mode))
		return -EISDIR;
	if (!LINUX_S_ISREG(inode->mode))
		return -ENODEV;
	if (offset > INT64_MAX - length)
		return -EFBIG;
	if (mode & ~(LINUX_FALLOC_FL_KEEP_SIZE | LINUX_FALLOC_FL_PUNCH_HOLE))
		return -EOPNOTSUPP; /* as on tmpfs, and as late */
	uint64_t end = (uint64_t)(offset + length);
	if (punch)
		return file_io_punch(file, (uint64_t)offset, (uint64_t)length);
	int error = may_change(file, FILE_RESIZE, end > inode->size ? end : inode->size);
	if (error == 0)
		error = data_reserve(inode, (uint64_t)offset, (uint64_t)length);
	if (error < 0)
		return error;
	if (!(mode & LINUX_FALLOC_FL_KEEP_SIZE) && end > inode->size)
		inode->size = end;
	inode_modified(inode);
	notify_file(file, NOTIFY_MODIFY);
	return 0;
}
