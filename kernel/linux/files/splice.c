/* SPDX-License-Identifier: MIT */
/* Filling and emptying pipes without the program's memory: splice(2), tee(2), vmsplice(2). Bytes are copied here, which
 * no program can see. Bytes stay in a pipe until they have been delivered. */
#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/vfs/anon.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/vm.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/notify.h"
#include "kernel/vfs/pipe.h"

#define NONBLOCK 2U
#define FLAGS 15U
#define PIECE_BYTES 65536UL

struct splice {
	struct file *in, *out;
	int64_t *in_pos, *out_pos;
	size_t bytes;
	bool wait;
	bool tee; /* copied bytes stay in the pipe */
};

static long write_out(struct file *out, const void *from, size_t bytes, int64_t *pos)
{
	long done = out->ops->write ? out->ops->write(out, from, bytes, pos) : -EINVAL;
	if (done == -EPIPE && !out->ops->quiet)
		pipe_broken();
	return done;
}

/* How much a target takes now; for a pipe its room. Waits for room, or returns a negative errno. */
static long spliced_room(const struct splice *splice)
{
	struct pipe *pipe = pipe_of(splice->out);
	if (!pipe)
		return (long)splice->bytes;
	long room = pipe_wait_for_room(pipe, splice->wait);
	if (room == -EPIPE)
		pipe_broken();
	return room < (long)splice->bytes ? room : (long)splice->bytes;
}

static long from_pipe(const struct splice *splice, uint8_t *piece)
{
	struct pipe *pipe = pipe_of(splice->in);
	long there = pipe_wait_for_data(pipe, splice->wait);
	if (there <= 0)
		return there;
	long room = spliced_room(splice);
	if (room < 0)
		return room;
	there = there < room ? there : room;
	size_t total = 0, offset = 0;
	while (total < (size_t)there) {
		size_t left = (size_t)there - total;
		size_t got = pipe_peek(pipe, offset, piece, left < PIECE_BYTES ? left : PIECE_BYTES);
		if (!got)
			break;
		long done = write_out(splice->out, piece, got, splice->out_pos);
		if (done <= 0)
			return total ? (long)total : done;
		total += (size_t)done;
		if (splice->tee)
			offset += (size_t)done;
		else
			pipe_drop(splice->in, (size_t)done);
		if ((size_t)done < got)
			break;
	}
	return (long)total;
}

static long to_pipe(const struct splice *splice, uint8_t *piece)
{
	struct file *in = splice->in;
	size_t total = 0;
	long room = spliced_room(splice);
	if (room < 0 || !in->ops->read)
		return room < 0 ? room : -EINVAL;
	while (total < (size_t)room) {
		size_t left = (size_t)room - total;
		long got = in->ops->read(in, piece, left < PIECE_BYTES ? left : PIECE_BYTES, splice->in_pos);
		if (got > 0)
			got = write_out(splice->out, piece, (size_t)got, splice->out_pos);
		if (got <= 0)
			return total ? (long)total : got;
		total += (size_t)got;
		if (!in->ops->seek)
			break; /* the next read might wait */
	}
	return (long)total;
}

static long move_spliced(const struct splice *splice)
{
	uint8_t *piece = kmalloc(PIECE_BYTES);
	if (!piece)
		return -ENOMEM;
	file_get(splice->in);
	file_get(splice->out);
	long result = pipe_of(splice->in) ? from_pipe(splice, piece) : to_pipe(splice, piece);
	if (result > 0 && !splice->tee) {
		notify_file(splice->in, NOTIFY_ACCESS);
		notify_file(splice->out, NOTIFY_MODIFY);
	}
	file_put(splice->in);
	file_put(splice->out);
	kfree(piece);
	return result;
}

/* The position for one side: the program's variable or the file's. Returns 0, -ESPIPE for a pipe, or -EFAULT. */
static int spliced_position(struct file *file, const long *user, int64_t *own, int64_t **pos)
{
	*pos = user ? own : &file->pos;
	if (!user)
		return 0;
	return pipe_of(file) ? -ESPIPE : copy_from_user(own, user, sizeof(*own));
}

/* Whether a file could not hold this many bytes from the position on. For the source, Linux 6.1 checks only the bytes
 * for which the pipe has room. */
static bool is_beyond(const struct splice *splice, unsigned long bytes)
{
	return !pipe_of(splice->out) && (bytes > INT64_MAX || *splice->out_pos > INT64_MAX - (int64_t)bytes);
}

/* The checks of splice after files and positions are known. */
static int check_splice(const struct splice *splice, bool in_given, bool out_given)
{
	const struct file *in = splice->in, *out = splice->out;
	struct pipe *in_pipe = pipe_of(in), *out_pipe = pipe_of(out);
	if (!in->readable || !out->writable)
		return -EBADF;
	if ((!in_pipe && !out_pipe) || in_pipe == out_pipe)
		return -EINVAL;
	if (in_pipe && !out_pipe && ((out_given && !out->ops->seek) || (out->flags & LINUX_O_APPEND)))
		return -EINVAL;
	if (out_pipe && !in_pipe && in_given && !in->ops->seek)
		return -EINVAL;
	if (anon_name(in->inode) || anon_name(out->inode)) /* eventfd and its like do not support splice */
		return -EINVAL;
	return *splice->in_pos < 0 || *splice->out_pos < 0 ? -EINVAL : 0;
}

static size_t limited(unsigned long bytes)
{
	return bytes < LINUX_MAX_RW_COUNT ? bytes : LINUX_MAX_RW_COUNT;
}

long sys_splice(int in_fd, long *in_offset, int out_fd, long *out_offset, unsigned long bytes, unsigned int flags)
{
	int64_t in_own = 0, out_own = 0;
	if (!bytes)
		return 0;
	if (flags & ~FLAGS)
		return -EINVAL;
	struct splice splice = {.in = anon_get(in_fd), .out = anon_get(out_fd), .bytes = limited(bytes)};
	if (!splice.in || !splice.out)
		return -EBADF;
	if ((in_offset && pipe_of(splice.in)) || (out_offset && pipe_of(splice.out)))
		return -ESPIPE;
	int error = spliced_position(splice.out, out_offset, &out_own, &splice.out_pos);
	if (!error)
		error = spliced_position(splice.in, in_offset, &in_own, &splice.in_pos);
	if (!error)
		error = check_splice(&splice, in_offset, out_offset);
	if (!error && is_beyond(&splice, bytes))
		error = -EINVAL;
	if (error)
		return error;
	int own_flags = (pipe_of(splice.in) ? splice.in->flags : 0) | (pipe_of(splice.out) ? splice.out->flags : 0);
	splice.wait = !(flags & NONBLOCK) && !(own_flags & LINUX_O_NONBLOCK);
	long result = move_spliced(&splice);
	if (result < 0)
		return result;
	if ((out_offset && copy_to_user(out_offset, &out_own, sizeof(out_own))) ||
	    (in_offset && copy_to_user(in_offset, &in_own, sizeof(in_own))))
		return -EFAULT;
	return result;
}

long sys_tee(int in_fd, int out_fd, unsigned long bytes, unsigned int flags)
{
	int64_t unused = 0;
	if (flags & ~FLAGS)
		return -EINVAL;
	if (!bytes)
		return 0;
	struct splice splice = {.in = anon_get(in_fd),
	                        .out = anon_get(out_fd),
	                        .in_pos = &unused,
	                        .out_pos = &unused,
	                        .bytes = limited(bytes),
	                        .tee = true};
	if (!splice.in || !splice.out || !splice.in->readable || !splice.out->writable)
		return -EBADF;
	if (!pipe_of(splice.in) || !pipe_of(splice.out) || pipe_of(splice.in) == pipe_of(splice.out))
		return -EINVAL;
	splice.wait = !(flags & NONBLOCK) && !((splice.in->flags | splice.out->flags) & LINUX_O_NONBLOCK);
	return move_spliced(&splice);
}

/* Writes a vector that is only partly accessible, piece by piece up to the first bad byte. Returns the bytes, or
 * -EFAULT for none. */
static long write_mapped(int fd, const struct linux_iovec *iov, unsigned long count)
{
	long total = 0;
	for (unsigned long i = 0; i < count; i++) {
		struct linux_iovec piece;
		if (copy_from_user(&piece, &iov[i], sizeof(piece)))
			break;
		uint64_t wanted = piece.iov_len;
		piece.iov_len = vm_reach((uint64_t)piece.iov_base, wanted, VM_READ);
		long done = piece.iov_len ? sys_writev(fd, &piece, 1) : 0;
		total += done > 0 ? done : 0;
		if (done != (long)wanted)
			break;
	}
	return total ? total : -EFAULT;
}

/* Like the vector calls on the pipe, but waits only for the first byte. */
long sys_vmsplice(int fd, const struct linux_iovec *iov, unsigned long count, unsigned int flags)
{
	struct file *file = anon_get(fd);
	struct pipe *pipe = file ? pipe_of(file) : NULL;
	if (flags & ~FLAGS)
		return -EINVAL;
	if (file && !count)
		return 0;
	if (!pipe)
		return -EBADF;
	if (!file->writable)
		return sys_readv(fd, iov, (int)count);
	bool wait = !(flags & NONBLOCK) && !(file->flags & LINUX_O_NONBLOCK);
	long room = pipe_wait_for_room(pipe, wait);
	if (room < 0) {
		if (room == -EPIPE)
			pipe_broken();
		return room;
	}
	int kept = file->flags & LINUX_O_NONBLOCK;
	file_get(file);
	file->flags |= LINUX_O_NONBLOCK; /* nothing waits until the flag is restored */
	long result = sys_writev(fd, iov, (int)count);
	if (result == -EFAULT)
		result = write_mapped(fd, iov, count);
	file->flags = (file->flags & ~LINUX_O_NONBLOCK) | kept;
	file_put(file);
	return result;
}
