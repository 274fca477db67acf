/* SPDX-License-Identifier: MIT */
/* Observers of an inode's open files: sets of epoll(7), and owners that get signals (fcntl(2), F_SETOWN). */
#ifndef KERNEL_VFS_WATCHES_H
#define KERNEL_VFS_WATCHES_H

#include "kernel/lib/list.h"
#include "kernel/vfs/inode.h"

struct watches;

/** Why an owner gets a signal: si_code. */
enum async_reason {
	ASYNC_IN = 1, /**< POLL_IN */
	ASYNC_OUT,
	ASYNC_PRI = 5,
	ASYNC_HUP,
};

/** What is done for the owners of an inode's open files. Only Linux programs have owners
 * (kernel/linux/signal/owner.c). */
struct watches_owner_ops {
	/** Events hold now, as for struct inode_watches. */
	void (*changed)(struct watches *watches, unsigned int events);
	/** An open file is closed. */
	void (*closed)(struct watches *watches, const struct file *file);
	/** A socket has this reason to signal its owners. */
	void (*signal)(struct watches *watches, enum async_reason reason);
	/** Urgent data have arrived: SIGURG, whether O_ASYNC is set or not, and ASYNC_PRI. */
	void (*signal_urgent)(struct watches *watches);
};

struct watches {
	struct inode_watches base;
	struct list epolls; /**< epoll.c: newest first, as on Linux; those that share an event (EPOLLEXCLUSIVE) follow
	                       the others */
	struct list owners; /**< in the order in which they were set */
	const struct watches_owner_ops *owner_ops; /**< of `owners`, unless that is empty */
	bool is_busy;                              /**< the lists are being walked; do not free */
};

/** The observers of an inode; NULL: none yet. */
static inline struct watches *watches_at(const struct inode *inode)
{
	return (struct watches *)inode->watches;
}

/** The observers of an inode, created if needed; NULL without memory. */
struct watches *watches_of(struct inode *inode);

/** Called after an observer was removed: frees the lists when they are empty. */
void watches_drop(struct inode *inode);

#endif
