/* SPDX-License-Identifier: MIT */
/* Pipes (pipe(7)) and FIFOs (fifo(7)): a byte queue between open files of one inode. */
#ifndef KERNEL_VFS_PIPE_H
#define KERNEL_VFS_PIPE_H

#include "kernel/vfs/file.h"

/** Opens both ends of a new pipe. flags: LINUX_O_NONBLOCK, LINUX_O_DIRECT. 0 or a negative errno. */
int pipe_open(int flags, struct file **reader, struct file **writer);

/** The pipe behind an open file, or NULL. */
struct pipe *pipe_of(const struct file *file);

/**
 * The bytes that fit, more than none: waits for them or says -EAGAIN. -EPIPE without a reader, -EINTR, -ENOMEM.
 */
long pipe_wait_for_room(struct pipe *pipe, bool wait);

/** The bytes that are queued: waits for some or says -EAGAIN. 0: there is no writer any more; -EINTR. */
long pipe_wait_for_data(struct pipe *pipe, bool wait);

/** Copies to the kernel's memory what is queued behind `offset` bytes, at most so many. How many. */
size_t pipe_peek(const struct pipe *pipe, size_t offset, void *to, size_t bytes);

/** Takes bytes out, or all that there are, of the pipe behind an open file. */
void pipe_drop(struct file *file, size_t bytes);

/** Sends SIGPIPE to the thread that writes where nobody reads. */
void pipe_broken(void);

/** F_GETPIPE_SZ. */
long pipe_size(const struct pipe *pipe);

/** F_SETPIPE_SZ: the new size, -EBUSY when more is in the pipe, or another negative errno. */
long pipe_resize(struct pipe *pipe, unsigned long bytes);

/** How the inode of a named pipe is opened: -ENXIO, -EINTR or -ENOMEM as open(2) and fifo(7) say. */
extern const struct inode_ops pipe_fifo_ops;

/** Destroys the pipe of an inode; takes NULL. */
void pipe_destroy(struct pipe *pipe);

#endif
