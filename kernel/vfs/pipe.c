/* SPDX-License-Identifier: MIT */
/* Pipes, with a name (fifo(7)) or without. As on Linux, data wake one reader and room wakes one writer, and a woken
 * thread wakes the next one if it leaves data or room. When the last reader or writer closes, all are woken. */
#include "kernel/vfs/pipe.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/personality.h"
#include "kernel/sched/process.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
#include "kernel/vfs/pipe_queue.h"

#define PIPE_BYTES (PIPE_PAGES * PAGE_SIZE)

/* A write that waits until `need` of its `bytes` fit. */
struct writer {
	const struct pipe *pipe;
	size_t need, bytes;
};

static struct mount pipe_mount = {.dev = 24, .next_ino = 1, .magic = LINUX_PIPEFS_MAGIC};

static bool can_read_pipe(const void *context)
{
	const struct pipe *pipe = context;
	return pipe->count > 0 || pipe->writers == 0;
}

/* How much of a write there is room for. */
static inline __attribute__((always_inline)) size_t pipe_room_for(const struct pipe *pipe, size_t bytes)
{
	return personality.pipe_rules ? personality.pipe_rules->room(pipe, bytes) : pipe->size - pipe->count;
}

static bool can_write_pipe(const void *context)
{
	const struct writer *writer = context;
	return pipe_room_for(writer->pipe, writer->bytes) >= writer->need || writer->pipe->readers == 0;
}

/* Whether poll(2) reports the pipe as writable. */
static inline __attribute__((always_inline)) bool has_pipe_room(const struct pipe *pipe)
{
	return pipe_room_for(pipe, LINUX_PIPE_BUF) >= LINUX_PIPE_BUF;
}

/* Wakes threads that can continue in the pipe's present state: one at each end, or all if the other end is closed. */
static void wake(struct pipe *pipe)
{
	(pipe->writers ? readiness_wake_one : readiness_wake_all)(&pipe->reading);
	(pipe->readers ? readiness_wake_one : readiness_wake_all)(&pipe->writing);
	readiness_wake_all(&readiness_polling);
}

/* Takes the first bytes out of the queue. */
static void drop_from_pipe(struct pipe *pipe, size_t bytes)
{
	pipe->head = (pipe->head + bytes) & (pipe->size - 1);
	pipe->count -= bytes;
	if (personality.pipe_rules)
		personality.pipe_rules->taken(pipe, bytes);
}

/* Copies at most bytes out of the queue. Returns how many, or -EFAULT. */
static long take_from_pipe(struct pipe *pipe, void *to, size_t bytes)
{
	size_t done = 0;
	while (done < bytes && pipe->count > 0) {
		size_t run = pipe->size - pipe->head;
		run = run < pipe->count ? run : pipe->count;
		run = run < bytes - done ? run : bytes - done;
		if (copy_to_user((char *)to + done, pipe->buffer + pipe->head, run) < 0)
			return done ? (long)done : -EFAULT;
		drop_from_pipe(pipe, run);
		done += run;
	}
	return (long)done;
}

/* Copies at most bytes into the queue. Returns how many, or -EFAULT. */
static long give_to_pipe(struct pipe *pipe, const void *from, size_t bytes)
{
	size_t done = 0;
	while (done < bytes && pipe->count < pipe->size) {
		size_t tail = (pipe->head + pipe->count) & (pipe->size - 1);
		size_t run = tail < pipe->head ? pipe->head - tail : pipe->size - tail;
		run = run < bytes - done ? run : bytes - done;
		if (copy_from_user(pipe->buffer + tail, (const char *)from + done, run) < 0)
			return done ? (long)done : -EFAULT;
		pipe->count += run;
		done += run;
	}
	return (long)done;
}

static long pipe_read(struct file *file, void *to, size_t bytes, int64_t *)
{
	struct pipe *pipe = file->inode->pipe;
	if (bytes == 0)
		return 0;
	while (pipe->count == 0) {
		if (pipe->writers == 0)
			return 0;
		if (file->flags & LINUX_O_NONBLOCK)
			return -EAGAIN;
		int error = readiness_wait(&pipe->reading, SCHED_FOREVER, "data in a pipe (read)", can_read_pipe, pipe);
		if (error < 0)
			return error;
	}
	inode_accessed(file->inode);
	bool had_room = has_pipe_room(pipe);
	long done = take_from_pipe(pipe, to, bytes);
	if (!had_room && has_pipe_room(pipe))
		inode_tell(file->inode, LINUX_POLLOUT | LINUX_POLLWRNORM);
	wake(pipe);
	return done;
}

void pipe_broken(void)
{
	const struct signal_origin origin = {.code = LINUX_SI_USER, .pid = PROCESS_ID};
	signal_queue(thread_current, LINUX_SIGPIPE, &origin);
}

/* Waits for room. 0, -EAGAIN or -EINTR. */
static int wait_to_write(struct pipe *pipe, size_t need, size_t bytes, bool wait)
{
	const struct writer writer = {pipe, need, bytes};
	return wait ? readiness_wait(&pipe->writing, SCHED_FOREVER, "room in a pipe (write)", can_write_pipe, &writer)
	            : -EAGAIN;
}

static long write_all(struct file *file, const void *from, size_t bytes)
{
	struct pipe *pipe = file->inode->pipe;
	size_t done = 0;
	while (done < bytes) {
		if (pipe->readers == 0) {
			if (done)
				pipe_broken(); /* the caller sees only -EPIPE */
			return done ? (long)done : -EPIPE;
		}
		size_t need = bytes <= LINUX_PIPE_BUF ? bytes : 1;
		size_t left = bytes - done, room = pipe_room_for(pipe, left);
		if (room < need) {
			int error = wait_to_write(pipe, need, left, !(file->flags & LINUX_O_NONBLOCK));
			if (error < 0)
				return done ? (long)done : error;
			continue;
		}
		long step = give_to_pipe(pipe, (const char *)from + done, left < room ? left : room);
		if (step < 0)
			return done ? (long)done : step;
		if (personality.pipe_rules)
			personality.pipe_rules->given(pipe, file, left, (size_t)step);
		done += (size_t)step;
		inode_modified(file->inode);
		inode_tell(file->inode, LINUX_POLLIN | LINUX_POLLRDNORM);
		wake(pipe);
	}
	return (long)done;
}

static long pipe_write(struct file *file, const void *from, size_t bytes, int64_t *)
{
	struct pipe *pipe = file->inode->pipe;
	if (bytes == 0)
		return 0;
	if (!pipe->buffer && !(pipe->buffer = kmalloc(pipe->size)))
		return -ENOMEM;
	return write_all(file, from, bytes);
}

long pipe_wait_for_room(struct pipe *pipe, bool wait)
{
	while (pipe->readers > 0 && !pipe_room_for(pipe, PAGE_SIZE)) {
		int error = wait_to_write(pipe, 1, PAGE_SIZE, wait);
		if (error < 0)
			return error;
	}
	return pipe->readers > 0 ? (long)pipe_room_for(pipe, PAGE_SIZE) : -EPIPE;
}

long pipe_wait_for_data(struct pipe *pipe, bool wait)
{
	while (pipe->count == 0 && pipe->writers > 0) {
		if (!wait)
			return -EAGAIN;
		int error =
			readiness_wait(&pipe->reading, SCHED_FOREVER, "data in a pipe (splice)", can_read_pipe, pipe);
		if (error < 0)
			return error;
	}
	return (long)pipe->count;
}

size_t pipe_peek(const struct pipe *pipe, size_t offset, void *to, size_t bytes)
{
	size_t done = 0;
	while (done < bytes && offset + done < pipe->count) {
		size_t at = (pipe->head + offset + done) & (pipe->size - 1), run = pipe->size - at;
		run = run < pipe->count - offset - done ? run : pipe->count - offset - done;
		run = run < bytes - done ? run : bytes - done;
		memcpy((char *)to + done, pipe->buffer + at, run);
		done += run;
	}
	return done;
}

void pipe_drop(struct file *file, size_t bytes)
{
	struct pipe *pipe = file->inode->pipe;
	bool had_room = has_pipe_room(pipe);
	bytes = bytes < pipe->count ? bytes : pipe->count;
	drop_from_pipe(pipe, bytes);
	inode_accessed(file->inode);
	if (!had_room && has_pipe_room(pipe))
		inode_tell(file->inode, LINUX_POLLOUT | LINUX_POLLWRNORM);
	wake(pipe);
}

static unsigned int pipe_poll(struct file *file)
{
	const struct pipe *pipe = file->inode->pipe;
	unsigned int events = 0;
	if (file->readable) {
		if (pipe->count > 0)
			events |= LINUX_POLLIN | LINUX_POLLRDNORM;
		/* A FIFO opened without waiting has no end of input before it has had a writer. */
		if (pipe->writers == 0 && file->writers_seen != pipe->writer_opens)
			events |= LINUX_POLLHUP;
	}
	if (file->writable) {
		if (has_pipe_room(pipe))
			events |= LINUX_POLLOUT | LINUX_POLLWRNORM;
		if (pipe->readers == 0)
			events |= LINUX_POLLERR;
	}
	return events;
}

static long pipe_ioctl(struct file *file, unsigned long request, void *arg)
{
	if (request != LINUX_FIONREAD)
		return -ENOTTY;
	int count = (int)file->inode->pipe->count;
	return copy_to_user(arg, &count, sizeof(count));
}

static struct pipe *create_pipe(void)
{
	struct pipe *pipe = kzalloc(sizeof(*pipe));
	if (pipe)
		pipe->size = PIPE_BYTES;
	return pipe;
}

/* An end is closed. The contents of a FIFO are lost with its last end. */
static void leave_pipe(struct inode *inode, const struct file *file)
{
	struct pipe *pipe = inode->pipe;
	pipe->readers -= file->readable;
	pipe->writers -= file->writable;
	if (!pipe->readers != !pipe->writers)
		inode_tell(inode, LINUX_POLLIN | LINUX_POLLRDNORM | LINUX_POLLERR | LINUX_POLLHUP);
	wake(pipe);
	if (pipe->readers == 0 && pipe->writers == 0) {
		pipe_destroy(pipe);
		inode->pipe = NULL;
	}
}

static void pipe_release(struct file *file)
{
	leave_pipe(file->inode, file);
}

static const struct file_ops pipe_file_ops = {
	.read = pipe_read,
	.write = pipe_write,
	.poll = pipe_poll,
	.ioctl = pipe_ioctl,
	.release = pipe_release,
};

/* Also reached by opening /dev/stdin and its like again, even of a pipe whose ends are all closed: a descriptor of
 * O_PATH keeps the inode, and the pipe begins again, empty. */
static int open_end(struct inode *inode, struct file *file)
{
	if (!inode->pipe && !(inode->pipe = create_pipe()))
		return -ENOMEM;
	struct pipe *pipe = inode->pipe;
	file->ops = &pipe_file_ops;
	file->writers_seen = 0;
	pipe->readers += file->readable;
	pipe->writers += file->writable;
	pipe->reader_opens += file->readable && pipe->readers == 1;
	pipe->writer_opens += file->writable && pipe->writers == 1;
	readiness_wake_all(&pipe->opening);
	readiness_wake_all(&readiness_polling);
	return 0;
}

static const struct inode_ops pipe_inode_ops = {.open = open_end};

/* An open(2) that waits until *opens differs from `before`. */
struct opener {
	const uint32_t *opens;
	uint32_t before;
};

static bool was_opened(const void *context)
{
	const struct opener *opener = context;
	return *opener->opens != opener->before;
}

/* Waits until the other end was opened, even if it is closed again by then. */
static int wait_for_open(struct pipe *pipe, const uint32_t *opens, const char *what)
{
	const struct opener opener = {opens, *opens};
	return readiness_wait(&pipe->opening, SCHED_FOREVER, what, was_opened, &opener);
}

static int open_fifo(struct inode *inode, struct file *file)
{
	bool wait = !(file->flags & LINUX_O_NONBLOCK);
	int error = 0;
	if (!file->readable && !file->writable)
		return -EINVAL;
	if (!file->readable && !wait && !(inode->pipe && inode->pipe->readers))
		return -ENXIO;
	error = open_end(inode, file);
	if (error < 0)
		return error;
	struct pipe *pipe = inode->pipe;
	if (!file->writable && pipe->writers == 0) {
		if (wait)
			error = wait_for_open(pipe, &pipe->writer_opens, "a writer of a FIFO (open)");
		else
			file->writers_seen = pipe->writer_opens;
	} else if (!file->readable && pipe->readers == 0) {
		error = wait_for_open(pipe, &pipe->reader_opens, "a reader of a FIFO (open)");
	}
	if (error < 0)
		leave_pipe(inode, file);
	return error;
}

const struct inode_ops pipe_fifo_ops = {.open = open_fifo};

int pipe_open(int flags, struct file **reader, struct file **writer)
{
	struct inode *inode = inode_create(&pipe_mount, LINUX_S_IFIFO | 0600);
	if (!inode)
		return -ENOMEM;
	inode->ops = &pipe_inode_ops;
	inode->nlink = 1;
	int error = -ENOMEM;
	inode->pipe = create_pipe();
	if (!inode->pipe)
		goto out;
	error = file_create(inode, LINUX_O_RDONLY | flags, reader);
	if (error < 0)
		goto out;
	error = file_create(inode, LINUX_O_WRONLY | flags, writer);
	if (error < 0)
		file_put(*reader);
out:
	inode_put(inode);
	return error;
}

struct pipe *pipe_of(const struct file *file)
{
	return file->ops == &pipe_file_ops ? file->inode->pipe : NULL;
}

long pipe_size(const struct pipe *pipe)
{
	return (long)pipe->size;
}

long pipe_resize(struct pipe *pipe, unsigned long bytes)
{
	size_t size = PAGE_SIZE;
	if ((uint32_t)bytes > 1U << 31)
		return -EINVAL;
	if ((uint32_t)bytes > PIPE_BYTES_MAX)
		return -EPERM;
	while (size < (uint32_t)bytes)
		size *= 2;
	if (size < pipe->count)
		return -EBUSY;
	uint8_t *buffer = kmalloc(size);
	int error = buffer ? 0 : -ENOMEM;
	if (!error && personality.pipe_rules)
		error = personality.pipe_rules->resize(pipe, size);
	if (error) {
		kfree(buffer);
		return error;
	}
	for (size_t i = 0; i < pipe->count; i++)
		buffer[i] = pipe->buffer[(pipe->head + i) & (pipe->size - 1)];
	kfree(pipe->buffer);
	pipe->buffer = buffer;
	pipe->size = size;
	pipe->head = 0;
	wake(pipe);
	return (long)size;
}

void pipe_destroy(struct pipe *pipe)
{
	if (pipe && personality.pipe_rules)
		personality.pipe_rules->end(pipe);
	if (pipe)
		kfree(pipe->buffer);
	kfree(pipe);
}
