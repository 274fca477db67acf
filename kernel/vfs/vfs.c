/* SPDX-License-Identifier: MIT */
/* The virtual file system as a whole. Mounts are made once, at the start, in a fixed order. */
#include "kernel/vfs/vfs.h"

#include "abi/boot.h"
#include "abi/errno.h"
#include "kernel/dev/console.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/device.h"
#include "kernel/vfs/namei.h"
#include "kernel/vfs/overlay.h"
#include "kernel/vfs/path.h"

static struct mount root_mount = {.dev = 21, .next_ino = 1, .magic = LINUX_TMPFS_MAGIC};
static struct mount dev_mount = {.dev = 22, .next_ino = 1, .magic = LINUX_TMPFS_MAGIC};
static struct mount out_mount = {.dev = 23, .next_ino = 1, .magic = LINUX_TMPFS_MAGIC};

static struct vfs_process first_process;
struct vfs_process *vfs_current = &first_process;

static int mount_tmpfs(struct mount *mount, uint32_t mode)
{
	mount->root = inode_create(mount, LINUX_S_IFDIR | mode);
	if (!mount->root)
		return -ENOMEM;
	mount->root->nlink = 2;
	mount->root->dir.parent = mount->root;
	return 0;
}

/* Finds or makes a directory of the root. */
static int root_directory(const char *name, uint32_t mode, struct dentry **dentry)
{
	struct inode *root = root_mount.root, *inode;
	size_t length = strlen(name);
	int error = dentry_lookup(root, name, length, dentry_hash(name, length), dentry);
	if (error < 0 || *dentry)
		return error;
	inode = inode_create(&root_mount, LINUX_S_IFDIR | mode);
	if (!inode)
		return -ENOMEM;
	error = namei_attach(root, name, length, inode);
	*dentry = inode->dir.dentry;
	inode_put(inode);
	return error;
}

/* Puts a file system over a directory of the root, or over whatever has that name there. */
static int mount_at(const char *name, struct mount *mount)
{
	struct dentry *dentry;
	int error = root_directory(name, 0755, &dentry);
	if (error < 0)
		return error;
	dentry_replace(dentry, mount->root);
	dentry->mounted = 1;
	mount->root->dir.parent = inode_get(root_mount.root);
	return 0;
}

static int open_console(void)
{
	for (int fd = 0; fd < 3; fd++) {
		struct file *file;
		int error = device_open_console(fd, &file);
		if (error < 0)
			return error;
		fdtable_install(&vfs_current->fds, fd, file, false);
	}
	return 0;
}

static int mount_root(const struct boot_info *boot)
{
	if (!boot->root)
		return mount_tmpfs(&root_mount, 0755);
	const char *why = "";
	int error = overlay_mount(&root_mount, phys_to_virt(boot->root), boot->root_bytes, &why);
	if (error < 0) {
		static char message[160];
		console_write(2, message, format(message, sizeof(message), "eremite: root image refused: %s\n", why));
	}
	return error;
}

int vfs_init(const struct boot_info *boot)
{
	struct dentry *tmp;
	int error = mount_root(boot);
	if (error == 0)
		error = mount_tmpfs(&dev_mount, 0755);
	if (error == 0)
		error = mount_tmpfs(&out_mount, 0755);
	if (error == 0)
		error = device_populate(dev_mount.root);
	if (error == 0)
		error = mount_at("dev", &dev_mount);
	if (error == 0)
		error = mount_at("out", &out_mount);
	if (error == 0)
		error = root_directory("tmp", LINUX_S_ISVTX | 0777, &tmp);
	if (error < 0)
		return error;
	first_process.root = inode_get(root_mount.root);
	first_process.cwd = inode_get(root_mount.root);
	first_process.umask = 022;
	fdtable_init(&first_process.fds);
	return open_console();
}

/* --- the walk over everything below a directory --- */

/* Directories being gone through, outermost first: no recursion, because they may be nested deeply. */
struct level {
	struct listing *listing;
	size_t next;
	size_t path_length;
};

struct tree_walk {
	struct level *levels;
	size_t depth;
	size_t capacity;
	char *path;
	size_t path_length;
};

static int enter(struct tree_walk *walk, struct inode *dir)
{
	if (walk->depth == walk->capacity) {
		size_t capacity = walk->capacity ? walk->capacity * 2 : 16;
		struct level *levels = krealloc(walk->levels, capacity * sizeof(*levels));
		if (!levels)
			return -ENOMEM;
		walk->levels = levels;
		walk->capacity = capacity;
	}
	struct level *level = &walk->levels[walk->depth];
	int error = dentry_listing(dir, &level->listing);
	if (error < 0)
		return error;
	level->next = 0;
	level->path_length = walk->path_length;
	walk->depth++;
	return 0;
}

static int append(struct tree_walk *walk, const struct level *level, const struct dentry *dentry)
{
	size_t at = level->path_length;
	if (at + 1 + dentry->length + 1 > LINUX_PATH_MAX)
		return -ENAMETOOLONG;
	if (at)
		walk->path[at++] = '/';
	memcpy(walk->path + at, dentry->name, dentry->length + 1UL);
	walk->path_length = at + dentry->length;
	return 0;
}

static int visit_one(struct tree_walk *walk, struct dentry *dentry,
                     int (*visit)(const struct vfs_entry *entry, void *context), void *context)
{
	struct inode *inode;
	int error = append(walk, &walk->levels[walk->depth - 1], dentry);
	if (error == 0)
		error = dentry_inode(dentry, &inode);
	if (error < 0)
		return error;
	struct vfs_entry entry = {
		.path = walk->path,
		.kind = inode->mode & LINUX_S_IFMT,
		.mode = inode->mode & 07777,
		.bytes = inode->size,
		.inode = inode,
	};
	if (entry.kind != LINUX_S_IFREG && entry.kind != LINUX_S_IFDIR && entry.kind != LINUX_S_IFLNK)
		return 0;
	error = visit(&entry, context);
	if (error == 0 && entry.kind == LINUX_S_IFDIR)
		error = enter(walk, inode);
	return error;
}

int vfs_walk(const char *path, int (*visit)(const struct vfs_entry *entry, void *context), void *context)
{
	struct inode *dir;
	struct tree_walk walk = {0};
	int error = path_find(LINUX_AT_FDCWD, path, PATH_FOLLOW, &dir);
	if (error == 0 && !LINUX_S_ISDIR(dir->mode))
		error = -ENOTDIR;
	if (error == 0)
		error = dentry_complete(dir);
	if (error == 0 && dir->dir.count == 0)
		return 0; /* this much is possible without memory */
	if (error == 0 && !(walk.path = kmalloc(LINUX_PATH_MAX)))
		error = -ENOMEM;
	if (error == 0)
		error = enter(&walk, dir);
	while (error == 0 && walk.depth > 0) {
		struct level *level = &walk.levels[walk.depth - 1];
		if (level->next < level->listing->count) {
			error = visit_one(&walk, level->listing->entries[level->next++], visit, context);
		} else {
			listing_put(level->listing);
			walk.depth--;
		}
	}
	while (walk.depth > 0)
		listing_put(walk.levels[--walk.depth].listing);
	kfree(walk.levels);
	kfree(walk.path);
	return error;
}

int vfs_entry_data(const struct vfs_entry *entry, uint64_t offset, const void **data, size_t *bytes)
{
	assert(offset < entry->bytes);
	*bytes = entry->bytes - offset;
	if (entry->kind == LINUX_S_IFLNK) {
		*data = entry->inode->target + offset;
		return 0;
	}
	return data_map(entry->inode, offset, data, bytes);
}
