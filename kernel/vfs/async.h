/* SPDX-License-Identifier: MIT */
/* Signals for the owner of an open socket (fcntl(2), F_SETOWN and O_ASYNC): what the sockets report. */
#ifndef KERNEL_VFS_ASYNC_H
#define KERNEL_VFS_ASYNC_H

#include "kernel/vfs/watches.h"

/** Signals the owners of a socket's open files. NULL: the socket has no open file any more. */
static inline void async_tell(const struct inode *inode, enum async_reason reason)
{
	struct watches *watches = inode ? watches_at(inode) : NULL;
	if (watches && !list_is_empty(&watches->owners))
		watches->owner_ops->signal(watches, reason);
}

/** Signals that urgent data have arrived, whether O_ASYNC is set or not. */
static inline void async_tell_urgent(const struct inode *inode)
{
	struct watches *watches = inode ? watches_at(inode) : NULL;
	if (watches && !list_is_empty(&watches->owners))
		watches->owner_ops->signal_urgent(watches);
}

#endif
