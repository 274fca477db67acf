/* SPDX-License-Identifier: MIT */
/* Sets of descriptors to wait on. An item is on its set's ready list when its file has had an event since it was last
 * checked. Whether the file is ready then, only its poll operation says.
 *
 * Files do not know about sets: their inodes have a list of observers (inode.h), which exists while it is not empty. */
#include "kernel/vfs/epoll.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/list.h"
#include "kernel/vfs/anon.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/vfs/readiness.h"

#define ALWAYS (LINUX_POLLERR | LINUX_POLLHUP)
#define MODES (LINUX_EPOLLET | LINUX_EPOLLONESHOT | LINUX_EPOLLWAKEUP | LINUX_EPOLLEXCLUSIVE)
#define WITH_EXCLUSIVE \
	(LINUX_POLLIN | LINUX_POLLOUT | ALWAYS | LINUX_EPOLLWAKEUP | LINUX_EPOLLET | LINUX_EPOLLEXCLUSIVE)
#define READING (LINUX_POLLIN | LINUX_POLLRDNORM)
#define WRITING (LINUX_POLLOUT | LINUX_POLLWRNORM)
#define NESTING_MAX 4

struct epoll {
	struct list items;
	struct list ready;
	const struct inode *inode;
	struct readiness_queue waiting;
};

struct item {
	struct list of_epoll, of_inode;
	struct list ready; /* linked while the item is on its set's ready list */
	struct epoll *epoll;
	struct file *file; /* without a reference: closing the file removes the item */
	int fd;
	uint32_t events;
	uint32_t adder; /* the process that added the file */
	uint64_t data;
};

static struct epoll *epoll_of(const struct file *file)
{
	return file->object;
}

/* The requested events of an item that hold. */
static uint32_t item_events(const struct item *item)
{
	return item->file->ops->poll(item->file) & item->events;
}

static bool is_ready(const void *context)
{
	const struct epoll *epoll = context;
	list_each (link, &epoll->ready) {
		if (item_events(list_entry(link, struct item, ready)))
			return true;
	}
	return false;
}

/* Something is, or may be, ready: wakes one waiter of the set, and informs the observers of the set. */
static void tell_set(struct epoll *epoll)
{
	inode_tell(epoll->inode, READING);
	readiness_wake_one(&epoll->waiting);
}

static bool is_set_waited_for(const struct epoll *epoll)
{
	return epoll->waiting.first;
}

/* One end of a pipe gets no events of the other end. */
static unsigned int events_for(const struct file *file, unsigned int events)
{
	if (!file->readable)
		events &= ~READING;
	if (!file->writable)
		events &= ~WRITING;
	return events;
}

/* Puts an item on its set's ready list if it is for any of the events. */
static bool note_events(struct item *item, unsigned int events)
{
	if (!(events_for(item->file, events) & item->events) || !(item->events & ~MODES))
		return false;
	if (!list_has(&item->ready))
		list_add_last(&item->epoll->ready, &item->ready);
	return true;
}

void epoll_changed(struct watches *watches, unsigned int events)
{
	list_each (link, &watches->epolls) {
		struct item *item = list_entry(link, struct item, of_inode);
		if (!note_events(item, events))
			continue;
		bool taken = (item->events & LINUX_EPOLLEXCLUSIVE) && is_set_waited_for(item->epoll);
		tell_set(item->epoll);
		if (taken)
			break;
	}
}

void epoll_tell_of_process(const struct inode *inode, unsigned int events, const struct process *process)
{
	struct watches *watches = watches_at(inode);
	if (!watches)
		return;
	list_each (link, &watches->epolls) {
		struct item *item = list_entry(link, struct item, of_inode);
		if (item->adder == process->id && note_events(item, events))
			tell_set(item->epoll);
	}
}

static void destroy_item(struct item *item)
{
	struct inode *inode = item->file->inode;
	list_remove(&item->of_epoll);
	list_remove(&item->of_inode);
	list_remove(&item->ready);
	kfree(item);
	watches_drop(inode);
}

void epoll_closed(struct watches *watches, const struct file *file)
{
	for (struct list *link = watches->epolls.next, *next; link != &watches->epolls; link = next) {
		struct item *item = list_entry(link, struct item, of_inode);
		next = link->next;
		if (item->file == file)
			destroy_item(item);
	}
}

static unsigned int epoll_poll(struct file *file)
{
	return is_ready(epoll_of(file)) ? READING : 0;
}

static void epoll_release(struct file *file)
{
	struct epoll *epoll = epoll_of(file);
	while (!list_is_empty(&epoll->items))
		destroy_item(list_entry(epoll->items.next, struct item, of_epoll));
	kfree(epoll);
}

static const struct file_ops epoll_ops = {.poll = epoll_poll, .release = epoll_release};

int epoll_open(struct file **out)
{
	struct epoll *epoll = kzalloc(sizeof(*epoll));
	if (!epoll)
		return -ENOMEM;
	int error = anon_open("[eventpoll]", &epoll_ops, epoll, LINUX_O_RDWR, out);
	if (error < 0) {
		kfree(epoll);
		return error;
	}
	epoll->inode = (*out)->inode;
	list_init(&epoll->items);
	list_init(&epoll->ready);
	return 0;
}

bool epoll_is(const struct file *file)
{
	return file->ops == &epoll_ops;
}

/* The depth of nested sets below a set; more than NESTING_MAX when `sought` is among them. */
static int depth_below(const struct epoll *epoll, const struct epoll *sought, int level)
{
	int deepest = 0;
	if (epoll == sought || level > NESTING_MAX)
		return NESTING_MAX + 1;
	list_each (link, &epoll->items) {
		const struct item *item = list_entry(link, struct item, of_epoll);
		if (!epoll_is(item->file))
			continue;
		int depth = depth_below(epoll_of(item->file), sought, level + 1) + 1;
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest;
}

/* The depth of nested sets above a set. */
static int depth_above(const struct epoll *epoll, int level)
{
	const struct watches *watches = watches_at(epoll->inode);
	int highest = 0;
	if (!watches || level > NESTING_MAX)
		return 0;
	list_each (link, &watches->epolls) {
		int depth = depth_above(list_entry(link, struct item, of_inode)->epoll, level + 1) + 1;
		highest = depth > highest ? depth : highest;
	}
	return highest;
}

static bool nests_too_deeply(const struct epoll *epoll, const struct file *file)
{
	return epoll_is(file) && depth_below(epoll_of(file), epoll, 0) + 1 + depth_above(epoll, 0) > NESTING_MAX;
}

/* Called after an item was added or changed. */
static void look_at(struct item *item)
{
	if (!item_events(item) || list_has(&item->ready))
		return;
	list_add_last(&item->epoll->ready, &item->ready);
	tell_set(item->epoll);
	readiness_wake_all(&readiness_polling);
}

static int add_item(struct epoll *epoll, int fd, struct file *file, const struct linux_epoll_event *event)
{
	struct item *item = kzalloc(sizeof(*item));
	struct watches *watches = item ? watches_of(file->inode) : NULL;
	if (!watches) {
		kfree(item);
		return -ENOMEM;
	}
	item->epoll = epoll;
	item->file = file;
	item->fd = fd;
	item->adder = process_current->id;
	item->events = event->events | ALWAYS;
	item->data = event->data;
	list_add_last(&epoll->items, &item->of_epoll);
	if (event->events & LINUX_EPOLLEXCLUSIVE)
		list_add_last(&watches->epolls, &item->of_inode);
	else
		list_add_first(&watches->epolls, &item->of_inode);
	look_at(item);
	return 0;
}

static struct item *find_item(const struct epoll *epoll, int fd, const struct file *file)
{
	const struct watches *watches = watches_at(file->inode);
	if (!watches)
		return NULL;
	list_each (link, &watches->epolls) {
		struct item *item = list_entry(link, struct item, of_inode);
		if (item->epoll == epoll && item->fd == fd && item->file == file)
			return item;
	}
	return NULL;
}

static int modify(struct item *item, const struct linux_epoll_event *event)
{
	if (item->events & LINUX_EPOLLEXCLUSIVE)
		return -EINVAL;
	item->events = event->events | ALWAYS;
	item->data = event->data;
	look_at(item);
	return 0;
}

int epoll_control(struct file *set, int operation, int fd, struct file *file, const struct linux_epoll_event *event)
{
	struct epoll *epoll = epoll_of(set);
	if (operation != LINUX_EPOLL_CTL_DEL && (event->events & LINUX_EPOLLEXCLUSIVE)) {
		if (operation == LINUX_EPOLL_CTL_MOD)
			return -EINVAL;
		if (operation == LINUX_EPOLL_CTL_ADD && (epoll_is(file) || (event->events & ~WITH_EXCLUSIVE)))
			return -EINVAL;
	}
	if (operation == LINUX_EPOLL_CTL_ADD && nests_too_deeply(epoll, file))
		return -ELOOP;
	struct item *item = find_item(epoll, fd, file);
	switch (operation) {
	case LINUX_EPOLL_CTL_ADD:
		return item ? -EEXIST : add_item(epoll, fd, file, event);
	case LINUX_EPOLL_CTL_DEL:
		if (item)
			destroy_item(item);
		return item ? 0 : -ENOENT;
	case LINUX_EPOLL_CTL_MOD:
		return item ? modify(item, event) : -ENOENT;
	default:
		return -EINVAL;
	}
}

/* Puts the items of one list before those of another. */
static void put_back(struct list *left, struct list *ready)
{
	while (!list_is_empty(left)) {
		struct list *last = left->previous;
		list_remove(last);
		list_add_first(ready, last);
	}
}

int epoll_collect(struct file *set, struct linux_epoll_event *user, int max)
{
	struct epoll *epoll = epoll_of(set);
	struct list left; /* items that stay ready go behind those that were not checked */
	int count = 0;
	list_init(&left);
	put_back(&epoll->ready, &left);
	while (!list_is_empty(&left) && count < max) {
		struct item *item = list_entry(left.next, struct item, ready);
		const struct linux_epoll_event event = {item_events(item), item->data};
		list_remove(&item->ready);
		if (!event.events)
			continue;
		if (copy_to_user(&user[count], &event, sizeof(event)) < 0) {
			list_add_first(&left, &item->ready);
			count = count ? count : -EFAULT;
			break;
		}
		count++;
		if (item->events & LINUX_EPOLLONESHOT)
			item->events &= MODES;
		else if (!(item->events & LINUX_EPOLLET))
			list_add_last(&epoll->ready, &item->ready);
	}
	put_back(&left, &epoll->ready);
	if (!list_is_empty(&epoll->ready))
		readiness_wake_one(&epoll->waiting);
	return count;
}

int epoll_wait(struct file *set, uint64_t deadline_ns)
{
	struct epoll *epoll = epoll_of(set);
	return readiness_wait(&epoll->waiting, deadline_ns, "an event (epoll_wait)", is_ready, epoll);
}
