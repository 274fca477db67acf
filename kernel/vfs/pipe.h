/* SPDX-License-Identifier: MIT */
/* Pipes (pipe(7)) and FIFOs (fifo(7)): a byte queue between open files of one inode. */
#ifndef KERNEL_VFS_PIPE_H
#define KERNEL_VFS_PIPE_H

#include "kernel/vfs/file.h"

/** Opens both ends of a new pipe. flags: LINUX_O_NONBLOCK, LINUX_O_DIRECT. Returns 0 or a negative errno. */
int pipe_open(int flags, struct file **reader, struct file **writer);

/** The pipe behind an open file, or NULL. */
struct pipe *pipe_of(const struct file *file);

/** The number of bytes that fit, at least 1. Waits for room, or returns -EAGAIN; -EPIPE without a reader, -EINTR,
 * -ENOMEM. */
long pipe_wait_for_room(struct pipe *pipe, bool wait);

/** The number of bytes that are queued. Waits for data, or returns -EAGAIN; 0 without a writer; -EINTR. */
long pipe_wait_for_data(struct pipe *pipe, bool wait);

/** Copies up to `bytes` queued bytes, after the first `offset`, to the kernel's memory. Returns the number copied. */
size_t pipe_peek(const struct pipe *pipe, size_t offset, void *to, size_t bytes);

/** Removes `bytes` bytes, or all that are queued if fewer, from the pipe of an open file. */
void pipe_drop(struct file *file, size_t bytes);

/** Sends SIGPIPE to the running thread, which writes to a pipe without readers. */
void pipe_broken(void);

/** F_GETPIPE_SZ. */
long pipe_size(const struct pipe *pipe);

/** F_SETPIPE_SZ: returns the new size, -EBUSY when the pipe holds more, or another negative errno. */
long pipe_resize(struct pipe *pipe, unsigned long bytes);

/** Opens the inode of a named pipe: -ENXIO, -EINTR or -ENOMEM as in open(2) and fifo(7). */
extern const struct inode_ops pipe_fifo_ops;

/** Destroys the pipe of an inode; takes NULL. */
void pipe_destroy(struct pipe *pipe);

#endif
