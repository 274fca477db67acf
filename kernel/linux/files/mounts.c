/* SPDX-License-Identifier: MIT */
/* Mounts of Linux programs. They are made once, at the start, in the order of the command line, so that a later mount
 * covers an earlier one. */
#include "kernel/linux/files/mounts.h"

#include "abi/boot.h"
#include "abi/environment.h"
#include "abi/errno.h"
#include "abi/own_paths.h"
#include "kernel/arch/direct_map.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/linux/files/host_ahead.h"
#include "kernel/linux/files/hostfs.h"
#include "kernel/linux/files/own_files.h"
#include "kernel/vfs/changes.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/namei.h"
#include "kernel/vfs/vfs.h"

#define FIRST_DEV 32 /* st_dev of root 0; those of vfs.c are below */

static struct mount mounts[BOOT_HOST_ROOTS_MAX];
static const char *paths[BOOT_HOST_ROOTS_MAX];
static unsigned count;
static const char *home_path; /* where change_root has mounted the home over the new root; NULL: nowhere */

static const char *describe_error(int error)
{
	switch (error) {
	case -ENOENT:
		return "there is nothing of that name";
	case -ENOTDIR:
		return "what is there is no directory";
	case -EISDIR:
		return "what is there is a directory";
	case -EACCES:
		return "permission denied on the host";
	case -ENOMEM:
		return "out of memory";
	default:
		return "it cannot be reached";
	}
}

/* A path may be longer than the message: then only its beginning is shown. */
static _Noreturn void refuse_mount(const char *what, const char *path, int error)
{
	static char message[170];
	char part[80];
	format(part, sizeof(part), "%s", path);
	format(message, sizeof(message), "%s '%s': %s", what, part, describe_error(error));
	end_with_report(END_REFUSED, 0, message);
}

/* Puts a root over a name in the directory `above`. */
static void put_over(struct dentry *dentry, struct inode *above, struct inode *over)
{
	dentry_replace(dentry, over);
	dentry->mounted = 1;
	if (!LINUX_S_ISDIR(over->mode))
		return;
	struct inode *old = over->dir.parent;
	over->dir.parent = inode_get(above);
	if (old != over)
		inode_put(old);
}

int mounts_over(struct inode *above, const char *name, struct inode *over)
{
	size_t length = strlen(name);
	/* Whether the directory's backing has the name does not matter: it will be hidden. */
	struct dentry *dentry = dentry_find(above, name, length, dentry_hash(name, length));
	if (!dentry)
		dentry = dentry_add(above, name, length, LINUX_S_ISDIR(over->mode) ? LINUX_DT_DIR : LINUX_DT_REG, over);
	if (!dentry)
		return -ENOMEM;
	dentry->backing_ino = over->ino;
	put_over(dentry, above, over);
	return 0;
}

int mounts_over_root(const char *name, struct inode *over)
{
	return mounts_over(process_current->files->root, name, over);
}

/* Keeps the guest's home directory under a new root. Mounts it in the new root's /home, or, if that is not a directory,
 * mounts its parent over /home. Returns 0 or a negative errno. */
static int keep_home(struct inode *parent, struct inode *home)
{
	struct inode *above;
	if (path_find(LINUX_AT_FDCWD, "/" ENVIRONMENT_HOME_PARENT, PATH_FOLLOW, &above) < 0 ||
	    !LINUX_S_ISDIR(above->mode)) {
		home_path = "/" ENVIRONMENT_HOME_PARENT;
		return mounts_over_root(ENVIRONMENT_HOME_PARENT, parent);
	}
	home_path = "/" ENVIRONMENT_HOME_PARENT "/" ENVIRONMENT_HOME_NAME;
	return mounts_over(above, ENVIRONMENT_HOME_NAME, home);
}

const char *mounts_home(void)
{
	return home_path;
}

static int change_root(struct inode *root)
{
	static const char *const kept[] = {
#define OWN_PATH(name, of_host, closed, early) OWN_PATH_IF_##early("/" #name, )
		OWN_PATH_LIST(OWN_PATH)
#undef OWN_PATH
	};
	enum { KEPT = sizeof(kept) / sizeof(kept[0]) };
	struct inode *over[KEPT], *parent, *home;
	bool has_home = !path_find(LINUX_AT_FDCWD, "/" ENVIRONMENT_HOME_PARENT, 0, &parent) &&
	                !path_find(LINUX_AT_FDCWD, "/" ENVIRONMENT_HOME_PARENT "/" ENVIRONMENT_HOME_NAME, 0, &home) &&
	                LINUX_S_ISDIR(home->mode);
	int error = 0;
	if (!LINUX_S_ISDIR(root->mode))
		return -ENOTDIR;
	for (unsigned i = 0; error == 0 && i < KEPT; i++)
		error = path_find(LINUX_AT_FDCWD, kept[i], 0, &over[i]);
	if (error < 0)
		return error;
	/* The old root keeps a reference: /tmp is an object of its file system. */
	inode_put(process_current->files->cwd);
	process_current->files->root = inode_get(root);
	process_current->files->cwd = inode_get(root);
	for (unsigned i = 0; error == 0 && i < KEPT; i++)
		error = mounts_over_root(kept[i] + 1, over[i]);
	return error == 0 && has_home ? keep_home(parent, home) : error;
}

/* Makes the directories on the way to a path. */
static int make_parents(const char *path)
{
	static char part[LINUX_PATH_MAX];
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		memcpy(part, path, (size_t)(slash - path));
		part[slash - path] = 0;
		int error = namei_mkdir(LINUX_AT_FDCWD, part, 0755);
		if (error < 0 && error != -EEXIST)
			return error;
	}
	return 0;
}

/* Mounts a root at a path. Makes a directory or an empty file there if needed. */
static int mount_root_at(const char *at, struct inode *root)
{
	struct path path;
	struct inode *made;
	bool directory = LINUX_S_ISDIR(root->mode);
	if (!at[1])
		return change_root(root);
	int error = make_parents(at);
	if (error == 0)
		error = path_walk(LINUX_AT_FDCWD, at, PATH_FOLLOW, &path);
	if (error == 0 && !path.inode) {
		error = namei_create(&path, directory ? LINUX_S_IFDIR | 0755 : LINUX_S_IFREG | 0644, &made);
		if (error == 0)
			error = path_walk(LINUX_AT_FDCWD, at, 0, &path);
	}
	if (error < 0)
		return error;
	if (!path.dentry)
		return -EBUSY;
	if (LINUX_S_ISDIR(path.inode->mode) != directory)
		return directory ? -ENOTDIR : -EISDIR;
	put_over(path.dentry, path.parent, root);
	return 0;
}

static const char *working_directory;

static void enter_directory(const char *path)
{
	struct inode *inode;
	int error = path_find(LINUX_AT_FDCWD, path, PATH_FOLLOW, &inode);
	if (error == 0 && !LINUX_S_ISDIR(inode->mode))
		error = -ENOTDIR;
	if (error < 0)
		refuse_mount("cannot start in the directory", path, error);
	inode_put(process_current->files->cwd);
	process_current->files->cwd = inode_get(inode);
}

void mounts_init(const struct boot_info *boot)
{
	const struct boot_host *host = &boot->host;
	const char *path = host->paths_bytes ? phys_to_virt(host->paths) : "";
	assert(host->root_count <= BOOT_HOST_ROOTS_MAX);
	host_ahead_init(boot);
	for (uint32_t i = 0; i < host->root_count; i++) {
		mounts[i] = (struct mount){.dev = FIRST_DEV + i, .next_ino = 1, .magic = LINUX_TMPFS_MAGIC};
		int error = hostfs_mount(&mounts[i], i, boot->flags & BOOT_FLAG_HOST_TIMES);
		if (error == 0) {
			error = mount_root_at(path, mounts[i].root);
			if (error == 0 && !path[1])
				error = own_files_init(boot->flags & BOOT_FLAG_ROUTE);
		}
		if (error < 0)
			refuse_mount("files of the host cannot be mounted at", path, error);
		paths[count++] = path;
		path += strlen(path) + 1;
	}
	/* Only after all mounts: one may need a mount point inside another. */
	for (uint32_t i = 0; i < host->root_count; i++)
		mounts[i].read_only = host->read_only >> i & 1;
	working_directory = path;
	for (uint32_t i = 0; i < host->root_count; i++)
		changes_watch(&mounts[i], i);
	changes_begin();
}

unsigned mounts_count(void)
{
	return count;
}

struct host_mount mounts_get(unsigned number)
{
	return (struct host_mount){paths[number], &mounts[number]};
}

void mounts_enter(void)
{
	if (*working_directory)
		enter_directory(working_directory);
}
