/* SPDX-License-Identifier: MIT */
/* Path walk. The rest of the path is at the end of one static buffer; a link's target is put in front of it, over the
 * part that was already walked. One thread runs at a time and a walk never blocks, so one buffer is enough. */
#include "kernel/vfs/path.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/vfs.h"

#define LINKS_MAX 40
/* Room for the rest of the path after each link. Only memory that is used is touched. */
#define UNREACHABLE "(unreachable)" /* as Linux says it */
#define TEXT_SIZE ((LINKS_MAX + 1) * LINUX_PATH_MAX)

static char text[TEXT_SIZE];

/* State of one walk: the result so far and the rest of the path. */
struct walk {
	struct path *path;
	const char *rest;
	unsigned int flags;
	int links;
};

static int start_walk(int dirfd, struct walk *walk)
{
	struct path *path = walk->path;
	struct inode *inode = process_current->files->cwd;
	path->last = PATH_OBJECT;
	if (*walk->rest == '/') {
		inode = process_current->files->root;
		path->last = PATH_ROOT;
	} else if (dirfd != LINUX_AT_FDCWD) {
		struct file *file = fdtable_get(&process_current->files->fds, dirfd);
		if (!file)
			return -EBADF;
		inode = file->inode;
		if (*walk->rest && !LINUX_S_ISDIR(inode->mode))
			return -ENOTDIR;
	}
	path->inode = inode;
	return 0;
}

/* Takes the next component off the path: its kind, its name and its slash. */
static int take_component(struct walk *walk)
{
	struct path *path = walk->path;
	const char *name = walk->rest, *p = name;
	uint32_t hash = 0;
	for (; *p && *p != '/'; p++)
		hash = DENTRY_HASH_STEP(hash, *p);
	size_t length = (size_t)(p - name);
	path->last = PATH_NORMAL;
	if (name[0] == '.' && length == 1)
		path->last = PATH_DOT;
	else if (name[0] == '.' && name[1] == '.' && length == 2)
		path->last = PATH_DOTDOT;
	path->slash = *p == '/';
	while (*p == '/')
		p++;
	walk->rest = p;
	if (length > LINUX_NAME_MAX)
		return path->inode->dir.removed ? -ENOENT : -ENAMETOOLONG;
	path->hash = hash;
	path->length = (uint8_t)length;
	if (!*p) /* only the last component's name is needed */
		memcpy(path->name, name, length);
	return 0;
}

static int follow_link(struct walk *walk)
{
	struct path *path = walk->path;
	struct inode *link = path->inode;
	if (++walk->links > LINKS_MAX)
		return -ELOOP;
	inode_accessed(link);
	if (link->ops && link->ops->follow) {
		path->parent = NULL;
		path->dentry = NULL;
		path->last = PATH_OBJECT;
		return link->ops->follow(link, &path->inode);
	}
	/* Puts the link's target before the rest of the path. take_component skipped the slash between them; if the
	 * path ended without a slash, none is needed. */
	size_t slash = path->slash ? 1 : 0;
	char *rest = (char *)walk->rest;
	assert((size_t)(rest - text) >= link->size + slash);
	if (slash)
		*--rest = '/';
	rest -= link->size;
	memcpy(rest, link->target, link->size);
	walk->rest = rest;
	if (*rest == '/') {
		path->inode = process_current->files->root;
		path->parent = NULL;
		path->dentry = NULL;
		path->last = PATH_ROOT;
	} else {
		path->inode = path->parent;
	}
	path->slash = false;
	return 0;
}

/* Goes from the directory path->inode to the component just taken. */
static int step(struct walk *walk, const char *name)
{
	struct path *path = walk->path;
	struct inode *dir = path->inode;
	path->parent = dir;
	path->dentry = NULL;
	if (path->last == PATH_DOT)
		return inode_search(dir);
	if (path->last == PATH_DOTDOT) {
		path->inode = dir == process_current->files->root ? dir : dir->dir.parent;
		return inode_search(dir);
	}
	int error = dentry_lookup(dir, name, path->length, path->hash, &path->dentry);
	path->inode = NULL;
	if (error < 0 || !path->dentry)
		return error;
	return dentry_inode(path->dentry, &path->inode);
}

static int walk_components(struct walk *walk)
{
	struct path *path = walk->path;
	while (*walk->rest == '/')
		walk->rest++;
	while (*walk->rest) {
		if (!LINUX_S_ISDIR(path->inode->mode))
			return -ENOTDIR;
		const char *name = walk->rest;
		int error = take_component(walk);
		bool last = !*walk->rest;
		if (error < 0 && last && (walk->flags & PATH_KEEP)) {
			path->parent = path->inode;
			path->inode = NULL;
			path->dentry = NULL;
			path->too_long = true;
			return 0;
		}
		if (error == 0)
			error = step(walk, name);
		if (error < 0)
			return error;
		if (!path->inode)
			return last && (!path->slash || (walk->flags & PATH_KEEP)) ? 0 : -ENOENT;
		if (LINUX_S_ISLNK(path->inode->mode)) {
			bool as_directory = path->slash && !(walk->flags & PATH_KEEP);
			if (!last || as_directory || ((walk->flags & PATH_FOLLOW) && !path->slash)) {
				error = follow_link(walk);
				if (error < 0)
					return error;
				while (*walk->rest == '/')
					walk->rest++;
			}
		}
	}
	if (path->slash && !(walk->flags & PATH_KEEP) && !LINUX_S_ISDIR(path->inode->mode))
		return -ENOTDIR;
	return 0;
}

int path_walk(int dirfd, const char *user_path, unsigned int flags, struct path *path)
{
	char *copy = text + TEXT_SIZE - LINUX_PATH_MAX;
	long length = 0;
	if (user_path || !(flags & PATH_NULL))
		length = strncpy_from_user(copy, user_path, LINUX_PATH_MAX);
	else
		*copy = 0;
	if (length < 0)
		return (int)length;
	if (length == 0 && !(flags & PATH_EMPTY))
		return -ENOENT;
	path->parent = NULL;
	path->dentry = NULL;
	path->slash = false;
	path->too_long = false;
	struct walk walk = {.path = path, .rest = copy, .flags = flags};
	int error = start_walk(dirfd, &walk);
	return error < 0 ? error : walk_components(&walk);
}

int path_missing(const struct path *path)
{
	return path->too_long && !path->parent->dir.removed ? -ENAMETOOLONG : -ENOENT;
}

int path_find(int dirfd, const char *user_path, unsigned int flags, struct inode **inode)
{
	struct path path;
	int error = path_walk(dirfd, user_path, flags, &path);
	*inode = path.inode;
	return error == 0 && !path.inode ? path_missing(&path) : error;
}

struct inode *path_top(void)
{
	struct inode *top = process_current->files->root;
	while (top->dir.parent != top)
		top = top->dir.parent;
	return top;
}

/* The root of the process, or the top of all directories above a directory that is not below that root (chroot(2)). */
static bool is_root(const struct inode *dir)
{
	return dir == process_current->files->root || dir->dir.parent == dir;
}

long path_of_directory(const struct inode *dir, char *buf, size_t size)
{
	size_t length = 1;
	bool is_reachable = dir == process_current->files->root;
	if (dir->dir.removed)
		return -ENOENT;
	for (const struct inode *at = dir; !is_root(at); at = at->dir.parent) {
		is_reachable = at->dir.parent == process_current->files->root;
		length += 1 + (size_t)at->dentry->length;
	}
	if (length == 1)
		length = 2;
	const size_t prefix = is_reachable ? 0 : sizeof(UNREACHABLE) - 1;
	length += prefix;
	if (length > size || length > LINUX_PATH_MAX)
		return length > LINUX_PATH_MAX ? -ENAMETOOLONG : -ERANGE;
	char *p = buf + length - 1;
	*p = 0;
	memcpy(buf, UNREACHABLE, prefix);
	buf[prefix] = '/';
	for (const struct inode *at = dir; !is_root(at); at = at->dir.parent) {
		const struct dentry *dentry = at->dentry;
		p -= dentry->length;
		memcpy(p, dentry->name, dentry->length);
		*--p = '/';
	}
	return (long)length;
}
