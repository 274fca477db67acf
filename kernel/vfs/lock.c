/* SPDX-License-Identifier: MIT */
/* File locks. Those of one owner are adjacent in their inode's list. Record locks are in ascending order and disjoint,
 * and neighbours of one type are merged. F_GETLK depends on this order, which is Linux's. */
#include "kernel/vfs/lock.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/process.h"
#include "kernel/sched/sched.h"
#include "kernel/vfs/readiness.h"
#include "kernel/vfs/vfs.h"

struct file_lock {
	struct file_lock *next;
	const void *owner; /* struct file or struct vfs_process; only compared for equality */
	int64_t start, last;
	int type;
	uint32_t process; /* the process that lock_test reports */
	bool whole;       /* by flock(2) */
	bool of_file;
};

static struct readiness_queue waiting; /* threads that wait for any lock */

/* A lock for which a thread waits. `next` links the locks that processes will own. */
struct wanted {
	const struct inode *inode;
	const struct file_lock *lock;
	struct wanted *next;
};

static struct wanted *awaited;

/* Maximum length of a chain (Linux's MAX_DEADLK_ITERATIONS). */
#define DEADLOCK_STEPS 10

static bool overlap(const struct file_lock *a, const struct file_lock *b)
{
	return a->start <= b->last && b->start <= a->last;
}

/* The first lock of another owner that conflicts with this one, or NULL. */
static struct file_lock *find_conflict(const struct inode *inode, const struct file_lock *wanted)
{
	for (struct file_lock *lock = inode->locks; lock; lock = lock->next) {
		if (lock->whole == wanted->whole && lock->owner != wanted->owner && overlap(lock, wanted) &&
		    (lock->type == LINUX_F_WRLCK || wanted->type == LINUX_F_WRLCK))
			return lock;
	}
	return NULL;
}

static bool is_range_free(const void *context)
{
	const struct wanted *wanted = context;
	return !find_conflict(wanted->inode, wanted->lock);
}

static bool has_conflict(const struct inode *inode, const struct file_lock *lock)
{
	return lock->type != LINUX_F_UNLCK && find_conflict(inode, lock);
}

/* Waits until there is no conflict. Returns 0, -EAGAIN or -EINTR. */
static int wait_for_lock(const struct inode *inode, const struct file_lock *lock, bool wait, const char *what)
{
	const struct wanted wanted = {.inode = inode, .lock = lock};
	return wait ? readiness_wait(&waiting, SCHED_FOREVER, what, is_range_free, &wanted) : -EAGAIN;
}

/* Removes all locks of an owner in a family. */
static void remove_all(struct inode *inode, const void *owner, bool whole)
{
	for (struct file_lock **link = &inode->locks; *link;) {
		struct file_lock *lock = *link;
		if (lock->owner == owner && lock->whole == whole) {
			*link = lock->next;
			kfree(lock);
		} else {
			link = &lock->next;
		}
	}
}

static struct file_lock **end_of_list(struct inode *inode)
{
	struct file_lock **link = &inode->locks;
	while (*link)
		link = &(*link)->next;
	return link;
}

int lock_whole(struct file *file, int type, bool wait)
{
	struct inode *inode = file->inode;
	struct file_lock wanted = {.owner = file, .last = INT64_MAX, .type = type, .whole = true};
	for (struct file_lock *lock = inode->locks; lock; lock = lock->next) {
		if (lock->whole && lock->owner == file && lock->type == type)
			return 0;
	}
	struct file_lock *lock = NULL;
	if (type != LINUX_F_UNLCK && !(lock = kmalloc(sizeof(*lock))))
		return -ENOLCK;
	int error = 0;
	for (;;) {
		remove_all(inode, file, true); /* before the wait: changing a lock is not atomic */
		if (error < 0 || !has_conflict(inode, &wanted))
			break;
		readiness_wake_all(&waiting);
		error = wait_for_lock(inode, &wanted, wait, "a file lock (flock)");
	}
	if (error < 0) {
		kfree(lock);
	} else if (lock) {
		*lock = wanted;
		*end_of_list(inode) = lock;
	}
	readiness_wake_all(&waiting);
	return error;
}

/* The link to the first record lock of an owner, or to the list's end. */
static struct file_lock **locks_of(struct inode *inode, const void *owner)
{
	struct file_lock **link = &inode->locks;
	while (*link && ((*link)->whole || (*link)->owner != owner))
		link = &(*link)->next;
	return link;
}

static bool same_owner(const struct file_lock *lock, const void *owner)
{
	return lock && !lock->whole && lock->owner == owner;
}

/* Removes a range from the owner's locks. *spare is used when a lock is split in two. */
static void cut_out(struct inode *inode, const struct file_lock *range, struct file_lock **spare)
{
	struct file_lock **link = locks_of(inode, range->owner);
	while (same_owner(*link, range->owner)) {
		struct file_lock *lock = *link;
		if (!overlap(lock, range)) {
			link = &lock->next;
		} else if (lock->start < range->start && lock->last > range->last) {
			struct file_lock *rest = *spare;
			*spare = NULL;
			*rest = *lock;
			rest->start = range->last + 1;
			lock->last = range->start - 1;
			lock->next = rest;
			return;
		} else if (lock->start < range->start) {
			lock->last = range->start - 1;
			link = &lock->next;
		} else if (lock->last > range->last) {
			lock->start = range->last + 1;
			return;
		} else {
			*link = lock->next;
			kfree(lock);
		}
	}
}

/* Inserts a lock where cut_out has made room, and merges it with its neighbours. */
static void insert_lock(struct inode *inode, struct file_lock *lock)
{
	struct file_lock **link = locks_of(inode, lock->owner), *before = NULL;
	while (same_owner(*link, lock->owner) && (*link)->start < lock->start) {
		before = *link;
		link = &before->next;
	}
	struct file_lock *after = *link;
	if (same_owner(after, lock->owner) && after->type == lock->type && after->start - 1 == lock->last) {
		lock->last = after->last;
		lock->next = after->next;
		kfree(after);
	} else {
		lock->next = after;
	}
	*link = lock;
	if (before && before->type == lock->type && before->last == lock->start - 1) {
		before->last = lock->last;
		before->next = lock->next;
		kfree(lock);
	}
}

static struct file_lock to_lock(const struct file *file, const struct lock_range *range)
{
	return (struct file_lock){
		.owner = range->of_file ? (const void *)file : &process_current->files->fds,
		.start = range->start,
		.last = range->last,
		.type = range->type,
		.process = process_current->id,
		.of_file = range->of_file,
	};
}

/* The lock that its owner waits for, or NULL. */
static const struct wanted *awaited_by(const void *owner)
{
	const struct wanted *wanted = awaited;
	while (wanted && wanted->lock->owner != owner)
		wanted = wanted->next;
	return wanted;
}

/* Whether a chain of lock owners that wait for each other leads from the conflicting lock back to this lock's owner. */
static bool is_deadlock(const struct inode *inode, const struct file_lock *lock)
{
	struct wanted wanted = {.inode = inode, .lock = lock};
	const struct wanted *next = &wanted;
	for (unsigned step = 0; next && step < DEADLOCK_STEPS; step++) {
		const struct file_lock *other = find_conflict(next->inode, next->lock);
		if (!other)
			return false;
		if (step && other->owner == lock->owner)
			return true;
		next = awaited_by(other->owner);
	}
	return false;
}

/* Waits for a lock that a process is to own. Returns 0, -EDEADLK or -EINTR. */
static int wait_as_process(const struct inode *inode, const struct file_lock *lock)
{
	struct wanted wanted = {inode, lock, awaited};
	if (is_deadlock(inode, lock))
		return -EDEADLK;
	awaited = &wanted;
	int error = wait_for_lock(inode, lock, true, "a record lock (fcntl)");
	struct wanted **link = &awaited;
	while (*link != &wanted)
		link = &(*link)->next;
	*link = wanted.next;
	return error;
}

int lock_set(struct file *file, const struct lock_range *range, bool wait)
{
	struct inode *inode = file->inode;
	struct file_lock wanted = to_lock(file, range);
	int error = 0;
	while (error == 0 && has_conflict(inode, &wanted))
		error = wait && !range->of_file ? wait_as_process(inode, &wanted)
		                                : wait_for_lock(inode, &wanted, wait, "a record lock (fcntl)");
	if (error < 0)
		return error;
	if (wanted.type == LINUX_F_UNLCK && !inode->locks)
		return 0;
	struct file_lock *lock = kmalloc(sizeof(*lock)), *spare = kmalloc(sizeof(*spare));
	if (lock && spare) {
		cut_out(inode, &wanted, &spare);
		*lock = wanted;
		if (wanted.type != LINUX_F_UNLCK) {
			insert_lock(inode, lock);
			lock = NULL;
		}
	} else {
		error = -ENOLCK;
	}
	kfree(lock);
	kfree(spare);
	readiness_wake_all(&waiting);
	return error;
}

void lock_test(const struct file *file, struct lock_range *range)
{
	struct file_lock wanted = to_lock(file, range), *lock;
	if (wanted.type == LINUX_F_UNLCK) {
		lock = *locks_of(file->inode, wanted.owner);
		while (same_owner(lock, wanted.owner) && !overlap(lock, &wanted))
			lock = lock->next;
		if (!same_owner(lock, wanted.owner))
			lock = NULL;
	} else {
		lock = find_conflict(file->inode, &wanted);
	}
	range->type = LINUX_F_UNLCK;
	if (lock)
		*range = (struct lock_range){lock->start, lock->last, lock->type, lock->of_file, lock->process};
}

void lock_closed(struct inode *inode, const struct fdtable *table)
{
	remove_all(inode, table, false);
	readiness_wake_all(&waiting);
}

void lock_released(struct file *file)
{
	remove_all(file->inode, file, true);
	remove_all(file->inode, file, false);
	readiness_wake_all(&waiting);
}
