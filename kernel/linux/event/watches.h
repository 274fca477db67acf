/* SPDX-License-Identifier: MIT */
/* Who watches the open files of an inode: sets of epoll(7), and owners that are sent signals (async.h). */
#ifndef KERNEL_LINUX_EVENT_WATCHES_H
#define KERNEL_LINUX_EVENT_WATCHES_H

#include "kernel/lib/list.h"
#include "kernel/vfs/inode.h"

struct watches {
	struct inode_watches base;
	struct list epolls; /**< epoll.c: as on Linux the one that came last is told first, and after it those that
	                     * share an event (EPOLLEXCLUSIVE) */
	struct list owners; /**< async.c */
	bool is_busy;       /**< it is being gone through, and stays */
};

/** Those of an inode; NULL: nobody has watched yet. */
static inline struct watches *watches_at(const struct inode *inode)
{
	return (struct watches *)inode->watches;
}

/** The same, made where there are none; NULL without memory. */
struct watches *watches_of(struct inode *inode);

/** One of them is gone: they are freed with the last. */
void watches_drop(struct inode *inode);

#endif
