/* SPDX-License-Identifier: MIT */
/* The virtual file system as a whole. Mounts are made once, at the start, in a fixed order. */
#include "kernel/vfs/vfs.h"

#include "abi/boot.h"
#include "abi/changes.h"
#include "abi/environment.h"
#include "abi/errno.h"
#include "abi/own_paths.h"
#include "kernel/dev/console.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/vfs/changes.h"
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

static int mount_tmpfs(struct mount *mount, uint32_t mode)
{
	mount->root = inode_create(mount, LINUX_S_IFDIR | mode);
	if (!mount->root)
		return -ENOMEM;
	mount->root->nlink = 2;
	mount->root->dir.parent = mount->root;
	return 0;
}

/* Finds or makes a directory of the root file system in another one. */
static int directory_in(struct inode *above, const char *name, uint32_t mode, struct dentry **dentry)
{
	struct inode *inode;
	size_t length = strlen(name);
	int error = dentry_lookup(above, name, length, dentry_hash(name, length), dentry);
	if (error < 0 || *dentry)
		return error;
	inode = inode_create(&root_mount, LINUX_S_IFDIR | mode);
	if (!inode)
		return -ENOMEM;
	error = namei_attach(above, name, length, inode);
	*dentry = inode->dentry;
	inode_put(inode);
	return error;
}

/* Finds or makes a directory of the root. */
static int root_directory(const char *name, uint32_t mode, struct dentry **dentry)
{
	return directory_in(root_mount.root, name, mode, dentry);
}

/* Makes the home directory of the default environment. A root with another object of that name keeps the object. */
static int make_home(void)
{
	struct dentry *dentry;
	struct inode *above;
	int error = root_directory(ENVIRONMENT_HOME_PARENT, 0755, &dentry);
	if (error < 0)
		return error;
	if (dentry_inode(dentry, &above) < 0 || !LINUX_S_ISDIR(above->mode))
		return 0;
	return directory_in(above, ENVIRONMENT_HOME_NAME, 0755, &dentry);
}

/* Mounts a file system over a name in the root directory, whatever the name refers to. */
static int mount_over_name(const char *name, struct mount *mount)
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

static int make_dev(const char *name)
{
	int error = mount_tmpfs(&dev_mount, 0755);
	if (error == 0)
		error = device_populate(dev_mount.root);
	return error < 0 ? error : mount_over_name(name, &dev_mount);
}

static int make_out(const char *name)
{
	int error = mount_tmpfs(&out_mount, 0755);
	return error < 0 ? error : mount_over_name(name, &out_mount);
}

/* /tmp is a directory of the root file system. */
static int make_tmp(const char *name)
{
	struct dentry *dentry;
	return root_directory(name, LINUX_S_ISVTX | 0777, &dentry);
}

/* Makes the directories of the guest's own that exist from the start. */
static int make_own_directories(void)
{
	int error = 0;
#define OWN_PATH(name, of_host, closed, early) OWN_PATH_IF_##early(if (error == 0) error = make_##name(#name);)
	OWN_PATH_LIST(OWN_PATH)
#undef OWN_PATH
	return error;
}

static int open_console(void)
{
	for (int fd = 0; fd < 3; fd++) {
		struct file *file;
		int error = device_open_console(fd, &file);
		if (error < 0)
			return error;
		fdtable_install(&first_process.fds, fd, file, false);
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
	process_first.files = &first_process;
	int error = mount_root(boot);
	if (error == 0)
		error = make_own_directories();
	if (error == 0)
		error = make_home();
	if (error < 0)
		return error;
	first_process.root = inode_get(root_mount.root);
	first_process.cwd = inode_get(root_mount.root);
	first_process.umask = 022;
	fdtable_init(&first_process.fds);
	changes_watch(&root_mount, CHANGE_NO_ROOT);
	changes_begin();
	return open_console();
}

/* --- the walk over everything below a directory --- */

/* The directories themselves lead back up. Therefore the walk needs no memory, which the program may have used up, and
 * works at any depth. */
struct tree_walk {
	const struct inode *start;
	size_t path_length;
	char path[LINUX_PATH_MAX];
};

/* Gets the first name below a directory; *first is NULL when it is empty. */
static int enter_walked(struct inode *dir, struct dentry **first)
{
	int error = dentry_complete(dir);
	if (error < 0)
		return error;
	dentry_sort(dir);
	*first = dir->dir.first;
	return 0;
}

static int append_to_path(struct tree_walk *walk, const struct dentry *dentry)
{
	size_t at = walk->path_length;
	if (at + 1 + dentry->length + 1 > LINUX_PATH_MAX)
		return -ENAMETOOLONG;
	if (at)
		walk->path[at++] = '/';
	memcpy(walk->path + at, dentry->name, dentry->length + 1UL);
	walk->path_length = at + dentry->length;
	return 0;
}

/* Takes the last name off the path. */
static void cut_path(struct tree_walk *walk, const struct dentry *dentry)
{
	walk->path_length -= dentry->length;
	if (walk->path_length)
		walk->path_length--;
}

/* The next name that is not below this one, or NULL at the end of the walk. */
static struct dentry *leave_walked(struct tree_walk *walk, struct dentry *dentry)
{
	cut_path(walk, dentry);
	while (!dentry->next) {
		if (dentry->dir == walk->start)
			return NULL;
		dentry = dentry->dir->dentry;
		assert(dentry != NULL);
		cut_path(walk, dentry);
	}
	return dentry->next;
}

static int visit_one(struct tree_walk *walk, struct dentry *dentry, struct inode **inode,
                     int (*visit)(const struct vfs_entry *entry, void *context), void *context)
{
	int error = append_to_path(walk, dentry);
	if (error == 0)
		error = dentry_inode(dentry, inode);
	if (error < 0)
		return error;
	struct vfs_entry entry = {
		.path = walk->path,
		.kind = (*inode)->mode & LINUX_S_IFMT,
		.mode = (*inode)->mode & 07777,
		.inode = *inode,
	};
	if (entry.kind == LINUX_S_IFREG || entry.kind == LINUX_S_IFLNK)
		entry.bytes = (*inode)->size;
	return visit(&entry, context);
}

int vfs_walk(const char *path, int (*visit)(const struct vfs_entry *entry, void *context), void *context)
{
	static struct tree_walk walk; /* static, because it is too large for the stack; walks do not nest */
	struct inode *inode;
	struct dentry *at = NULL;
	struct vfs_process *files = process_current->files;
	struct inode *root = files->root;
	files->root = path_top(); /* the last process may have another one */
	int error = path_find(LINUX_AT_FDCWD, path, PATH_FOLLOW, &inode);
	files->root = root;
	if (error == 0 && !LINUX_S_ISDIR(inode->mode))
		error = -ENOTDIR;
	if (error < 0)
		return error;
	walk.start = inode;
	walk.path_length = 0;
	error = enter_walked(inode, &at);
	while (error == 0 && at) {
		struct dentry *first = NULL;
		error = visit_one(&walk, at, &inode, visit, context);
		if (error == 0 && LINUX_S_ISDIR(inode->mode))
			error = enter_walked(inode, &first);
		if (error == 0)
			at = first ? first : leave_walked(&walk, at);
	}
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
