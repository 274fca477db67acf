/* SPDX-License-Identifier: MIT */
/* Observers of an inode's open files: sets of epoll(7), and owners that get signals (async.h). */
#ifndef KERNEL_LINUX_EVENT_WATCHES_H
#define KERNEL_LINUX_EVENT_WATCHES_H

#include "kernel/lib/list.h"
#include "kernel/vfs/inode.h"

struct watches {
	struct inode_watches base;
	struct list epolls; /**< epoll.c: newest first, as on Linux; those that share an event (EPOLLEXCLUSIVE) follow
	                       the others */
	struct list owners; /**< async.c */
	bool is_busy;       /**< the lists are being walked; do not free */
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
