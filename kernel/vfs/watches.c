/* SPDX-License-Identifier: MIT */
#include "kernel/vfs/watches.h"

#include "kernel/vfs/epoll.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/vfs/file.h"

static void changed(struct inode_watches *base, unsigned int events)
{
	struct watches *watches = (struct watches *)base;
	epoll_changed(watches, events);
	if (!list_is_empty(&watches->owners))
		watches->owner_ops->changed(watches, events);
}

static void close_watched(struct inode_watches *base, const struct file *file)
{
	struct watches *watches = (struct watches *)base;
	watches->is_busy = true;
	epoll_closed(watches, file);
	if (!list_is_empty(&watches->owners))
		watches->owner_ops->closed(watches, file);
	watches->is_busy = false;
	watches_drop(file->inode);
}

struct watches *watches_of(struct inode *inode)
{
	if (inode->watches)
		return watches_at(inode);
	struct watches *watches = kzalloc(sizeof(*watches));
	if (!watches)
		return NULL;
	watches->base = (struct inode_watches){changed, close_watched};
	list_init(&watches->epolls);
	list_init(&watches->owners);
	inode->watches = &watches->base;
	return watches;
}

void watches_drop(struct inode *inode)
{
	struct watches *watches = watches_at(inode);
	if (!watches || watches->is_busy || !list_is_empty(&watches->epolls) || !list_is_empty(&watches->owners))
		return;
	inode->watches = NULL;
	kfree(watches);
}
