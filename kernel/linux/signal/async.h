/* SPDX-License-Identifier: MIT */
/* Signals for the owner of an open pipe, FIFO or socket (fcntl(2), F_SETOWN and O_ASYNC): SIGIO, or the signal chosen
 * by F_SETSIG, when data or room arrive, and SIGURG for urgent data. */
#ifndef KERNEL_LINUX_SIGNAL_ASYNC_H
#define KERNEL_LINUX_SIGNAL_ASYNC_H

#include "kernel/linux/event/watches.h"
#include "kernel/vfs/file.h"

/** The event: si_code of the signal. */
enum async_reason {
	ASYNC_IN = 1, /**< POLL_IN */
	ASYNC_OUT,
	ASYNC_PRI = 5,
	ASYNC_HUP,
};

/** Signals the owners of a socket's open files. NULL: the socket has no open file any more. */
void async_tell(const struct inode *inode, enum async_reason reason);

/** Signals that urgent data have arrived, whether O_ASYNC is set or not. */
void async_tell_urgent(const struct inode *inode);

/** The functions of struct inode_watches. */
void async_changed(struct watches *watches, unsigned int events);
void async_closed(struct watches *watches, const struct file *file);

/** personality.file_set_async: sets or clears O_ASYNC on a descriptor. Returns 0 or -ENOMEM. */
int async_set(int fd, struct file *file, bool on);

/** personality.file_owner: the commands F_SETOWN to F_GETSIG of fcntl(2). */
long async_owner(struct file *file, int command, unsigned long arg);

#endif
