/* SPDX-License-Identifier: MIT */
/* Reading and writing: read(2), write(2), pread(2), readv(2), lseek(2), copy_file_range(2) and their kin. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/path.h"
#include "kernel/vfs/vfs.h"

#define SIGPIPE 13
#define FALLOC_KNOWN 0x7b /* all FALLOC_FL_* but NO_HIDE_STALE */

/* Reads or writes one piece at *pos, and at the file's own position when pos is NULL. */
static long transfer_read(struct file *file, void *buf, unsigned long count, int64_t *pos)
{
	if (!file->ops->read)
		return -EINVAL;
	if ((long)count < 0)
		return -EFAULT; /* no buffer is that large */
	if (count > LINUX_MAX_RW_COUNT)
		count = LINUX_MAX_RW_COUNT;
	return file->ops->read(file, buf, count, pos ? pos : &file->pos);
}

static long transfer_write(struct file *file, const void *buf, unsigned long count, int64_t *pos)
{
	if (!file->ops->write)
		return -EINVAL;
	if ((long)count < 0)
		return -EFAULT;
	if (count > LINUX_MAX_RW_COUNT)
		count = LINUX_MAX_RW_COUNT;
	long done = file->ops->write(file, buf, count, pos ? pos : &file->pos);
	if (done == -EPIPE)
		signal_send(SIGPIPE, 0);
	return done;
}

static struct file *readable(int fd)
{
	struct file *file = fdtable_get(&vfs_current->fds, fd);
	return file && file->readable ? file : NULL;
}

static struct file *writable(int fd)
{
	struct file *file = fdtable_get(&vfs_current->fds, fd);
	return file && file->writable ? file : NULL;
}

long sys_read(int fd, void *buf, unsigned long count)
{
	struct file *file = readable(fd);
	if (!file)
		return -EBADF;
	return transfer_read(file, buf, count, NULL);
}

long sys_write(int fd, const void *buf, unsigned long count)
{
	struct file *file = writable(fd);
	if (!file)
		return -EBADF;
	return transfer_write(file, buf, count, NULL);
}

/* What pread(2) and pwrite(2) check before the access mode. */
static int check_position(int fd, long offset)
{
	if (offset < 0)
		return -EINVAL;
	struct file *file = fdtable_get(&vfs_current->fds, fd);
	if (!file || (file->flags & LINUX_O_PATH))
		return -EBADF;
	return file->ops->seek ? 0 : -ESPIPE;
}

long sys_pread64(int fd, void *buf, unsigned long count, long offset)
{
	int error = check_position(fd, offset);
	if (error < 0)
		return error;
	struct file *file = readable(fd);
	if (!file)
		return -EBADF;
	return transfer_read(file, buf, count, &offset);
}

long sys_pwrite64(int fd, const void *buf, unsigned long count, long offset)
{
	int error = check_position(fd, offset);
	if (error < 0)
		return error;
	struct file *file = writable(fd);
	if (!file)
		return -EBADF;
	return transfer_write(file, buf, count, &offset);
}

/* The program's vector as kernel memory, checked; NULL with the result to return in *result. */
static struct linux_iovec *copy_vector(const struct linux_iovec *user, unsigned long count, long *result)
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

/* Reads or writes the pieces of a vector one after the other, up to the first that comes short. */
static long transfer_vector(struct file *file, const struct linux_iovec *user, unsigned long count, int64_t *pos,
                            bool writing)
{
	long total;
	struct linux_iovec *iov = copy_vector(user, count, &total);
	for (unsigned long i = 0; iov && i < count; i++) {
		if (iov[i].iov_len == 0)
			continue;
		long done = writing ? transfer_write(file, iov[i].iov_base, iov[i].iov_len, pos)
		                    : transfer_read(file, iov[i].iov_base, iov[i].iov_len, pos);
		if (done < 0 && total == 0)
			total = done;
		else if (done > 0)
			total += done;
		if (done != (long)iov[i].iov_len)
			break;
		if (!writing && !file->ops->seek && file->ops->poll && !(file->ops->poll(file) & LINUX_POLLIN))
			break; /* a pipe gives what it has */
	}
	kfree(iov);
	return total;
}

long sys_readv(int fd, const struct linux_iovec *iov, int count)
{
	struct file *file = readable(fd);
	return file ? transfer_vector(file, iov, (unsigned int)count, NULL, false) : -EBADF;
}

long sys_writev(int fd, const struct linux_iovec *iov, int count)
{
	struct file *file = writable(fd);
	return file ? transfer_vector(file, iov, (unsigned int)count, NULL, true) : -EBADF;
}

long sys_preadv(int fd, const struct linux_iovec *iov, unsigned long count, long offset, long high)
{
	(void)high; /* offset has all 64 bits already */
	int error = check_position(fd, offset);
	if (error < 0)
		return error;
	struct file *file = readable(fd);
	return file ? transfer_vector(file, iov, count, &offset, false) : -EBADF;
}

long sys_pwritev(int fd, const struct linux_iovec *iov, unsigned long count, long offset, long high)
{
	(void)high;
	int error = check_position(fd, offset);
	if (error < 0)
		return error;
	struct file *file = writable(fd);
	return file ? transfer_vector(file, iov, count, &offset, true) : -EBADF;
}

/* An open file that is not O_PATH, or NULL. */
static struct file *usable(int fd)
{
	struct file *file = fdtable_get(&vfs_current->fds, fd);
	return file && !(file->flags & LINUX_O_PATH) ? file : NULL;
}

long sys_lseek(int fd, long offset, int whence)
{
	struct file *file = usable(fd);
	if (!file)
		return -EBADF;
	if (whence < LINUX_SEEK_SET || whence > LINUX_SEEK_HOLE)
		return -EINVAL;
	return file->ops->seek ? file->ops->seek(file, offset, whence) : -ESPIPE;
}

/* Memory is all there is to sync to; what has no storage on Linux has none here. */
static long sync_file(int fd)
{
	struct file *file = usable(fd);
	if (!file)
		return -EBADF;
	return file->ops == &file_regular_ops || file->ops == &file_directory_ops ? 0 : -EINVAL;
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

long sys_fadvise64(int fd, long offset, long length, int advice)
{
	struct file *file = usable(fd);
	(void)offset;
	if (!file)
		return -EBADF;
	if (LINUX_S_ISFIFO(file->inode->mode))
		return -ESPIPE;
	return length < 0 || advice < 0 || advice > 5 ? -EINVAL : 0;
}

static long set_size(struct inode *inode, long length)
{
	int error = data_truncate(inode, (uint64_t)length);
	if (error == 0)
		inode_modified(inode);
	return error;
}

long sys_ftruncate(int fd, long length)
{
	if (length < 0)
		return -EINVAL;
	struct file *file = usable(fd);
	if (!file)
		return -EBADF;
	if (!LINUX_S_ISREG(file->inode->mode) || !file->writable)
		return -EINVAL;
	return set_size(file->inode, length);
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
	return LINUX_S_ISREG(inode->mode) ? set_size(inode, length) : -EINVAL;
}

long sys_fallocate(int fd, int mode, long offset, long length)
{
	struct file *file = usable(fd);
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
	int error = punch ? data_punch(inode, (uint64_t)offset, (uint64_t)length)
	                  : data_reserve(inode, (uint64_t)offset, (uint64_t)length);
	if (error < 0)
		return error;
	if (!(mode & LINUX_FALLOC_FL_KEEP_SIZE) && end > inode->size)
		inode->size = end;
	inode_modified(inode);
	return 0;
}

/* The position of one side of copy_file_range: the program's variable or the file's. */
static long position_of(struct file *file, const long *user, long *pos)
{
	*pos = file->pos;
	return user ? copy_from_user(pos, user, sizeof(*pos)) : 0;
}

static long store_position(struct file *file, long *user, long pos)
{
	if (user)
		return copy_to_user(user, &pos, sizeof(pos));
	file->pos = pos;
	return 0;
}

/* Copies between regular files, from where the data lies; count ends inside the source. */
static long copy_data(struct inode *in, int64_t from, struct inode *out, int64_t to, unsigned long count)
{
	static const uint64_t zeros[64];
	long total = 0;
	while (count > 0) {
		const void *data;
		size_t run = count;
		int error = data_map(in, (uint64_t)from, &data, &run);
		if (error == 0 && !data) {
			data = zeros;
			run = run < sizeof(zeros) ? run : sizeof(zeros);
		}
		long done = error < 0 ? error : data_write(out, data, run, (uint64_t)to);
		if (done <= 0)
			return total ? total : done;
		total += done;
		from += done;
		to += done;
		count -= (unsigned long)done;
	}
	return total;
}

long sys_copy_file_range(int in_fd, long *in_offset, int out_fd, long *out_offset, unsigned long count,
                         unsigned int flags)
{
	struct file *in = usable(in_fd), *out = usable(out_fd);
	long from, to;
	if (!in || !out)
		return -EBADF;
	long error = position_of(in, in_offset, &from);
	if (error == 0)
		error = position_of(out, out_offset, &to);
	if (error < 0)
		return error;
	if (flags)
		return -EINVAL;
	if (LINUX_S_ISDIR(in->inode->mode) || LINUX_S_ISDIR(out->inode->mode))
		return -EISDIR;
	if (!LINUX_S_ISREG(in->inode->mode) || !LINUX_S_ISREG(out->inode->mode))
		return -EINVAL;
	if (!in->readable || !out->writable || (out->flags & LINUX_O_APPEND))
		return -EBADF;
	if ((uint64_t)from + count < (uint64_t)from || (uint64_t)to + count < (uint64_t)to)
		return -EOVERFLOW;
	if (from < 0 || to < 0)
		return -EINVAL;
	if (count > LINUX_MAX_RW_COUNT)
		count = LINUX_MAX_RW_COUNT;
	if (from >= (int64_t)in->inode->size)
		count = 0;
	else if (count > in->inode->size - (uint64_t)from)
		count = in->inode->size - (uint64_t)from;
	if (in->inode == out->inode && from < to + (long)count && to < from + (long)count)
		return -EINVAL;
	long done = copy_data(in->inode, from, out->inode, to, count);
	if (done <= 0)
		return done;
	inode_accessed(in->inode);
	inode_modified(out->inode);
	error = store_position(in, in_offset, from + done);
	if (error == 0)
		error = store_position(out, out_offset, to + done);
	return error < 0 ? error : done;
}
