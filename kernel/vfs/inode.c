/* SPDX-License-Identifier: MIT */
/* Inodes: allocation, references, times and attributes. */
#include "kernel/vfs/inode.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "kernel/lib/bug.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/attribute.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/notify.h"
#include "kernel/vfs/pipe.h"

#define DAY_NS (86400 * NS_PER_S)

#define AFTER_MAX_NS (INT64_MAX / 2) /* the year 2116: later times may overflow, and are ignored */

#define FILE_TIME_STEP_NS 4000000 /* a tick of a kernel with CONFIG_HZ=250, as Debian's is */

struct inode *inode_alloc(struct mount *mount, uint32_t mode, uint64_t ino)
{
	struct inode *inode = kzalloc(sizeof(*inode));
	if (!inode)
		return NULL;
	inode->mount = mount;
	inode->mode = mode;
	inode->ino = ino;
	inode->refs = 1;
	if (LINUX_S_ISREG(mode))
		data_init(inode);
	return inode;
}

static int64_t file_time_ns; /* the last time given to a file */
static bool is_old;          /* the next file gets a new time */
static int64_t after_ns;     /* all times of files are later than this */
static int64_t ahead_ns;     /* how far times of files are ahead of the clock because of after_ns */

void inode_time_after(int64_t ns)
{
	if (ns > after_ns && ns < AFTER_MAX_NS)
		after_ns = ns;
}

/* The result is not later than CLOCK_REALTIME, except for inode_time_after, and not before the current second of
 * time(2). */
int64_t inode_time(void)
{
	int64_t now = vclock_realtime() + ahead_ns;
	if (after_ns && now <= after_ns) {
		ahead_ns += after_ns + 1 - now;
		now = after_ns + 1;
	}
	int64_t age = now - file_time_ns;
	if (is_old || (after_ns && file_time_ns <= after_ns) || age >= FILE_TIME_STEP_NS ||
	    now % NS_PER_S < age) /* a new second has begun since */
		file_time_ns = now;
	is_old = false;
	return file_time_ns;
}

void inode_time_step(void)
{
	is_old = true;
}

struct inode *inode_create(struct mount *mount, uint32_t mode)
{
	struct inode *inode = inode_alloc(mount, mode, mount->next_ino);
	if (!inode)
		return NULL;
	mount->next_ino++;
	if (LINUX_S_ISDIR(mode)) {
		inode->dir.complete = true;
		inode->size = 2 * INODE_DIRENT_BYTES;
	}
	inode->btime_ns = inode_time();
	inode->atime_ns = inode->mtime_ns = inode->ctime_ns = inode->btime_ns;
	return inode;
}

static void destroy_inode(struct inode *inode)
{
	assert(inode->locks == NULL);
	switch (inode->mode & LINUX_S_IFMT) {
	case LINUX_S_IFREG:
		data_free(inode);
		break;
	case LINUX_S_IFDIR:
		dentry_free_all(inode);
		break;
	case LINUX_S_IFLNK:
		if (!inode->backing)
			kfree((void *)inode->target);
		break;
	case LINUX_S_IFIFO:
		pipe_destroy(inode->pipe);
		break;
	default:
		break;
	}
	if (inode->ops && inode->ops->destroy)
		inode->ops->destroy(inode);
	attribute_free_all(inode);
	kfree(inode);
}

/* A removed directory holds its parent, which may be removed too. This is a loop, because the chain can be long. */
void inode_put(struct inode *inode)
{
	while (inode) {
		assert(inode->refs > 0);
		if (--inode->refs > 0) {
			if (inode->refs == 1 && inode->marks)
				notify_unused(inode);
			return;
		}
		struct inode *parent = NULL;
		if (LINUX_S_ISDIR(inode->mode) && inode->dir.parent != inode)
			parent = inode->dir.parent;
		destroy_inode(inode);
		inode = parent;
	}
}

void inode_changed(struct inode *inode)
{
	inode->ctime_ns = inode_time();
}

void inode_modified(struct inode *inode)
{
	inode->mtime_ns = inode->ctime_ns = inode_time();
}

int inode_writable(const struct inode *inode)
{
	return inode->mount->read_only ? -EROFS : 0;
}

void inode_accessed(struct inode *inode)
{
	if (inode->mount->read_only)
		return;
	int64_t now = inode_time();
	if (inode->atime_ns <= inode->mtime_ns || inode->atime_ns <= inode->ctime_ns || now - inode->atime_ns >= DAY_NS)
		inode->atime_ns = now;
}

int inode_permission(struct inode *inode, int want)
{
	if ((want & LINUX_X_OK) && !LINUX_S_ISDIR(inode->mode) && !(inode->mode & LINUX_S_IXUGO))
		return -EACCES;
	int error = want && inode->ops && inode->ops->permission ? inode->ops->permission(inode, want) : 0;
	return error || !(want & LINUX_W_OK) ? error : inode_writable(inode);
}

int inode_ownership(struct inode *inode)
{
	const bool has_backing = inode->ops && inode->ops->permission;
	return has_backing && inode->ops->permission(inode, LINUX_R_OK | LINUX_X_OK) ? -EPERM : 0;
}

static uint64_t blocks_of(const struct inode *inode)
{
	if (!LINUX_S_ISREG(inode->mode))
		return 0;
	uint64_t backed = (inode->data.backing_bytes + PAGE_SIZE - 1) / PAGE_SIZE;
	uint64_t pages = (inode->size + PAGE_SIZE - 1) / PAGE_SIZE;
	uint64_t held = inode->data.frames > backed ? inode->data.frames : backed;
	/* A file in 2 MiB blocks may have memory after its end that no program requested; it is not counted. */
	if (inode->size > BLOCK_SIZE && held > pages)
		held = pages;
	return held * (PAGE_SIZE / 512);
}

void inode_stat(const struct inode *inode, struct linux_stat *st)
{
	*st = (struct linux_stat){
		.st_dev = inode->mount->dev,
		.st_ino = inode->ino,
		.st_nlink = inode->nlink,
		.st_mode = inode->mode,
		.st_uid = inode->uid,
		.st_gid = inode->gid,
		.st_rdev = inode->rdev,
		.st_size = (int64_t)inode->size,
		.st_blksize = PAGE_SIZE,
		.st_blocks = (int64_t)blocks_of(inode),
	};
	st->st_atim = timespec_from_ns(inode->atime_ns);
	st->st_mtim = timespec_from_ns(inode->mtime_ns);
	st->st_ctim = timespec_from_ns(inode->ctime_ns);
	if (inode->ops && inode->ops->stat)
		inode->ops->stat(inode, st);
}
