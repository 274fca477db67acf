/* SPDX-License-Identifier: MIT */
/* Copying between open files without the program's memory: copy_file_range(2), sendfile(2). */
#include "abi/errno.h"
#include "abi/layout.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/notify.h"
#include "kernel/vfs/pipe.h"
#include "kernel/vfs/vfs.h"

/* An open file that is not O_PATH, or NULL. */
static struct file *copied_file(int fd)
{
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	return file && !(file->flags & LINUX_O_PATH) ? file : NULL;
}

/* The position of one side of copy_file_range: the program's variable or the file's. */
static long copy_position(struct file *file, const long *user, long *pos)
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

/* Copies between regular files, directly from the data's memory; count ends inside the source. */
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
		count = (size_t)done < run ? 0 : count - (unsigned long)done; /* less is written at a limit */
	}
	return total;
}

long sys_copy_file_range(int in_fd, long *in_offset, int out_fd, long *out_offset, unsigned long count,
                         unsigned int flags)
{
	struct file *in = copied_file(in_fd), *out = copied_file(out_fd);
	long from, to;
	if (!in || !out)
		return -EBADF;
	long error = copy_position(in, in_offset, &from);
	if (error == 0)
		error = copy_position(out, out_offset, &to);
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
	notify_file(in, NOTIFY_ACCESS);
	notify_file(out, NOTIFY_MODIFY);
	error = store_position(in, in_offset, from + done);
	if (error == 0)
		error = store_position(out, out_offset, to + done);
	return error < 0 ? error : done;
}

/* How much of count a target takes now: the room of a pipe, or all. Or a negative errno. */
static long target_room(struct file *out, unsigned long count, bool wait)
{
	struct pipe *pipe = pipe_of(out);
	if (!pipe || count == 0)
		return (long)count;
	long room = pipe_wait_for_room(pipe, wait);
	if (room == -EPIPE)
		pipe_broken();
	return room < (long)count ? room : (long)count;
}

/* Copies through a page of the kernel. Returns the bytes copied, or a negative errno when there are none. */
static long send_by_page(struct file *in, int64_t *from, struct file *out, unsigned long count)
{
	static uint8_t page[PAGE_SIZE];
	long total = 0;
	while ((unsigned long)total < count) {
		unsigned long run = count - (unsigned long)total;
		int64_t at = *from;
		long got = in->ops->read(in, page, run < PAGE_SIZE ? run : PAGE_SIZE, &at);
		long done = got <= 0 ? got : out->ops->write(out, page, (unsigned long)got, &out->pos);
		if (done == -EPIPE)
			pipe_broken();
		if (done <= 0)
			return total ? total : done;
		*from += done;
		total += done;
		if (done < got)
			break;
	}
	return total;
}

/* The checks of sendfile, in Linux's order; the positions are known. */
static long check_sendfile(int64_t from, const struct file *out, unsigned long count)
{
	if (from < 0 || (long)count < 0 || (int64_t)((uint64_t)from + count) < 0)
		return -EINVAL;
	if (!out || !out->writable)
		return -EBADF;
	if (from == INT64_MAX)
		return -EOVERFLOW;
	return !pipe_of(out) && (out->flags & LINUX_O_APPEND) ? -EINVAL : 0;
}

long sys_sendfile(int out_fd, int in_fd, long *offset, unsigned long count)
{
	struct file *in = copied_file(in_fd), *out = copied_file(out_fd);
	int64_t from = 0;
	if (offset && copy_from_user(&from, offset, sizeof(from)) < 0)
		return -EFAULT;
	if (!in || !in->readable)
		return -EBADF;
	if (offset && !in->ops->seek)
		return -ESPIPE;
	if (!offset)
		from = in->pos;
	long result = check_sendfile(from, out, count);
	if (result < 0)
		return result;
	if (count > LINUX_MAX_RW_COUNT)
		count = LINUX_MAX_RW_COUNT;
	file_get(in); /* another thread may close both during the wait */
	file_get(out);
	result = target_room(out, count, !((in->flags | out->flags) & LINUX_O_NONBLOCK));
	if (result >= 0 && (!in->ops->seek || LINUX_S_ISDIR(in->inode->mode) || !in->ops->read || !out->ops->write))
		result = -EINVAL;
	if (result > 0)
		result = send_by_page(in, &from, out, (unsigned long)result);
	if (result > 0) {
		notify_file(in, NOTIFY_ACCESS);
		notify_file(out, NOTIFY_MODIFY);
	}
	if (!offset)
		in->pos = from;
	else if (copy_to_user(offset, &from, sizeof(from)) < 0)
		result = -EFAULT;
	file_put(in);
	file_put(out);
	return result;
}
