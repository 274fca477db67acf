/* SPDX-License-Identifier: MIT */
/* Walks everything in memory that the program may have changed. It runs after the end, when all digests and accounts
 * are closed, so that it leaves no trace. Names that were never looked up are unchanged, except below a moved
 * directory, where everything is reported. */
#include "kernel/vfs/changes.h"

#include "abi/boot.h"
#include "abi/changes.h"
#include "abi/errno.h"
#include "abi/own_paths.h"
#include "kernel/dev/host.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/dentry.h"

static struct watched {
	struct mount *mount;
	uint32_t root;
} watched[BOOT_HOST_ROOTS_MAX + 1];
static unsigned watched_count;

#define ENTERED_MAX 4

/* Where the walk is. */
static struct {
	const struct watched *in;
	const struct dentry *moved; /* the directory that was moved here and contains all of this; NULL: none */
	size_t path_length;
	/* Directories that were entered by a name that their inodes no longer lead back to, because another root shows
	 * them now: the guest's home, in the first root. */
	const struct dentry *entered[ENTERED_MAX];
	unsigned entered_count;
	struct change change; /* its path is that of the walk */
	struct out_piece pieces[OUT_PIECES_MAX];
	size_t count;
} walk;

void changes_watch(struct mount *mount, uint32_t root)
{
	assert(watched_count < sizeof(watched) / sizeof(watched[0]));
	watched[watched_count++] = (struct watched){mount, root};
}

void changes_begin(void)
{
	for (unsigned i = 0; i < watched_count; i++)
		watched[i].mount->made = watched[i].mount->next_ino;
}

/* --- contents --- */

static int flush_changes(void)
{
	int result = walk.count ? host->change_data(walk.pieces, walk.count) : 0;
	walk.count = 0;
	return result;
}

static int add_memory(uint64_t address, uint64_t bytes)
{
	int result = walk.count == OUT_PIECES_MAX ? flush_changes() : 0;
	walk.pieces[walk.count++] = (struct out_piece){address, bytes};
	return result;
}

static int tell_contents(const struct inode *inode)
{
	int result = 0;
	if (LINUX_S_ISLNK(inode->mode))
		result = add_memory(virt_to_phys(inode->target), inode->size);
	for (uint64_t at = 0; result >= 0 && LINUX_S_ISREG(inode->mode) && at < inode->size;) {
		struct data_place place;
		size_t bytes = inode->size - at;
		data_find(inode, at, &place, &bytes);
		result = add_memory(place.memory       ? virt_to_phys(place.memory)
		                    : place.of_backing ? CHANGE_OF_HOST
		                                       : OUT_HOLE,
		                    bytes);
		at += bytes;
	}
	return result < 0 ? result : flush_changes();
}

/* --- objects --- */

static bool has_origin(const struct inode *inode)
{
	return inode->ops && inode->ops->origin;
}

/* Whether a name refers to the same object as at the start. */
static bool is_in_place(const struct dentry *dentry)
{
	return !walk.moved && has_origin(dentry->inode) && dentry->backing_ino == dentry->inode->ino;
}

static uint32_t changes_in_place(const struct inode *inode)
{
	const struct inode_origin origin = inode->ops->origin(inode);
	uint32_t what = 0;
	if ((inode->mode ^ origin.mode) & 07777)
		what |= CHANGE_MODE;
	if (inode->uid != origin.uid || inode->gid != origin.gid || inode->attributes)
		what |= CHANGE_OWNER;
	if (!LINUX_S_ISREG(inode->mode))
		return what;
	if (inode->data.changed)
		what |= CHANGE_CONTENTS;
	if (inode->mtime_ns != inode->btime_ns)
		what |= CHANGE_TIME;
	if (inode->nlink > 1 && origin.handle != UINT64_MAX)
		what |= CHANGE_LINKED;
	return what;
}

static uint32_t changes_of(const struct dentry *dentry)
{
	const struct inode *inode = dentry->inode;
	if (is_in_place(dentry))
		return changes_in_place(inode);
	if (!has_origin(inode) && inode->ino < inode->mount->made)
		return 0; /* a directory made for a mount point, or another object that the file system made itself */
	return CHANGE_CREATED | (inode->uid || inode->gid || inode->attributes ? CHANGE_OWNER : 0);
}

static int tell_removed(void)
{
	struct change *change = &walk.change;
	change->what = CHANGE_REMOVED;
	change->kind = change->mode = change->nlink = change->from = 0;
	change->handle = change->bytes = change->ino = 0;
	change->mtime_ns = 0;
	return host->change(change);
}

static int tell_inode(const struct inode *inode, uint32_t what)
{
	struct change *change = &walk.change;
	const uint64_t handle = has_origin(inode) ? inode->ops->origin(inode).handle : UINT64_MAX;
	bool has_contents = LINUX_S_ISREG(inode->mode) || LINUX_S_ISLNK(inode->mode);
	change->what = what;
	change->kind = inode->mode & LINUX_S_IFMT;
	change->mode = inode->mode & 07777;
	change->nlink = inode->nlink;
	change->from = handle != UINT64_MAX;
	change->handle = change->from ? handle : 0;
	change->bytes = has_contents ? inode->size : 0;
	change->mtime_ns = inode->mtime_ns;
	change->ino = inode->ino;
	int result = host->change(change);
	return result == 1 ? tell_contents(inode) : result;
}

static int append_name(const struct dentry *dentry)
{
	char *path = walk.change.path;
	size_t at = walk.path_length;
	if (at + 1 + dentry->length + 1 > sizeof(walk.change.path))
		return -ENAMETOOLONG;
	if (at)
		path[at++] = '/';
	memcpy(path + at, dentry->name, dentry->length + 1UL);
	walk.path_length = at + dentry->length;
	return 0;
}

static void cut_name(const struct dentry *dentry)
{
	walk.path_length -= dentry->length;
	if (walk.path_length)
		walk.path_length--;
	walk.change.path[walk.path_length] = 0;
}

/* --- the walk, which allocates nothing: the directories lead back up --- */

/* Gets the first name below a directory; NULL: it is empty. */
static int enter_changed(struct inode *dir, struct dentry **first)
{
	int result = walk.moved ? dentry_complete(dir) : 0;
	for (struct dentry *gone = walk.moved ? NULL : dir->dir.gone; gone && result >= 0; gone = gone->next) {
		result = append_name(gone);
		if (result >= 0)
			result = tell_removed();
		if (result >= 0)
			cut_name(gone);
	}
	*first = dir->dir.first;
	return result;
}

/* Whether a name is that of a directory of the guest's own in its first root. */
static bool is_own(const struct dentry *dentry)
{
	static const char *const own[] = {
#define OWN_PATH(name, of_host, closed, early) #name,
		OWN_PATH_LIST(OWN_PATH)
#undef OWN_PATH
	};
	bool found = false;
	for (unsigned i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		found |= !strcmp(dentry->name, own[i]);
	return found && walk.in->root == CHANGE_NO_ROOT && dentry->dir == walk.in->mount->root;
}

/* Handles one name, whose path is that of the walk; *inside is the first name below it. */
static int visit_name(struct dentry *dentry, struct dentry **inside)
{
	struct inode *inode = dentry->inode;
	int result = 0;
	*inside = NULL;
	if (dentry->mounted || is_own(dentry))
		return 0;
	if (!inode && walk.moved)
		result = dentry_inode(dentry, &inode);
	if (result < 0 || !inode)
		return result;
	const bool in_place = is_in_place(dentry);
	if (!walk.moved && dentry->backing_ino && !in_place)
		result = tell_removed();
	uint32_t what = changes_of(dentry);
	if (what && result >= 0)
		result = tell_inode(inode, what);
	if (result < 0 || !LINUX_S_ISDIR(inode->mode))
		return result;
	if (!walk.moved && !in_place && has_origin(inode))
		walk.moved = dentry;
	result = enter_changed(inode, inside);
	if (*inside && inode->dentry != dentry) {
		assert(walk.entered_count < ENTERED_MAX);
		walk.entered[walk.entered_count++] = dentry;
	}
	return result;
}

/* The name by which the walk has entered a directory. */
static const struct dentry *entered_name(const struct inode *dir)
{
	if (walk.entered_count && walk.entered[walk.entered_count - 1]->inode == dir)
		return walk.entered[--walk.entered_count];
	return dir->dentry;
}

static struct dentry *leave_name(const struct dentry *dentry)
{
	for (;;) {
		cut_name(dentry);
		if (walk.moved == dentry)
			walk.moved = NULL;
		if (dentry->next)
			return dentry->next;
		if (dentry->dir == walk.in->mount->root)
			return NULL;
		dentry = entered_name(dentry->dir);
		assert(dentry != NULL);
	}
}

static int tell_directory(struct inode *root)
{
	struct dentry *at;
	int result = enter_changed(root, &at);
	while (at && result >= 0) {
		struct dentry *inside;
		result = append_name(at);
		if (result >= 0)
			result = visit_name(at, &inside);
		if (result >= 0)
			at = inside ? inside : leave_name(at);
	}
	return result;
}

static int tell_mount(const struct watched *in)
{
	struct inode *root = in->mount->root;
	walk.in = in;
	walk.moved = NULL;
	walk.entered_count = 0;
	walk.path_length = 0;
	walk.change.path[0] = 0;
	walk.change.root = in->root;
	uint32_t what = has_origin(root) ? changes_in_place(root) : 0;
	int result = what ? tell_inode(root, what) : 0;
	return result >= 0 && LINUX_S_ISDIR(root->mode) ? tell_directory(root) : result;
}

void changes_tell(void)
{
	int result = 0;
	for (unsigned i = 0; host->change && i < watched_count && result >= 0; i++)
		result = tell_mount(&watched[i]);
	/* If the host refuses, it has reported the error itself. */
	if (result == -ENAMETOOLONG)
		end_with_report(END_REFUSED, 0,
		                "a path that the program has left is longer than 4087 bytes; shorten it");
	if (result == -ENOMEM)
		end_with_report(END_REFUSED, 0,
		                "no memory is left to tell what is in a moved directory; raise --memory");
}
