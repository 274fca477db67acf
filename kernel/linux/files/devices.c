/* SPDX-License-Identifier: MIT */
/* Names in /dev that native images do not have. Each is made once, at the start, after the mounts over the root. */
#include "kernel/linux/files/devices.h"

#include "abi/errno.h"
#include "kernel/linux/files/mounts.h"
#include "kernel/linux/files/pty.h"
#include "kernel/vfs/keyboard.h"
#include "kernel/vfs/namei.h"
#include "kernel/vfs/vfs.h"

#define DEVPTS_MAGIC 0x1cd1

static struct mount shm_mount = {.dev = 27, .next_ino = 1, .magic = LINUX_TMPFS_MAGIC};

static struct mount pts_mount = {.dev = 24, .next_ino = 1, .magic = DEVPTS_MAGIC, .fixed_names = true};

static int mount_in_dev(struct inode *dev, const char *name, struct mount *mount, uint32_t mode)
{
	struct inode *root = inode_create(mount, LINUX_S_IFDIR | mode);
	if (!root)
		return -ENOMEM;
	root->nlink = 2;
	root->dir.parent = root;
	mount->root = root;
	int error = mounts_over(dev, name, root);
	if (!error)
		dev->nlink++;
	return error;
}

/* Creates the name by which ttyname(3) finds the terminal of --tty. It refers to the first standard stream that is a
 * terminal. */
static int name_standard_terminal(void)
{
	for (int fd = 0; fd < 3; fd++) {
		const struct file *file = fdtable_get(&process_current->files->fds, fd);
		if (!file || !LINUX_S_ISCHR(file->inode->mode))
			continue;
		return namei_attach(pts_mount.root, "0", 1, file->inode);
	}
	return 0;
}

/* Creates a name for the masters of pseudo-terminals. */
static int name_masters(struct inode *dir, uint32_t mode)
{
	struct inode *inode = inode_create(dir->mount, LINUX_S_IFCHR | mode);
	if (!inode)
		return -ENOMEM;
	inode->rdev = PTY_PTMX_RDEV;
	inode->ops = &pty_ptmx_ops;
	int error = namei_attach(dir, "ptmx", 4, inode);
	inode_put(inode);
	return error;
}

bool devices_have_terminal(void)
{
	return keyboard_terminal() != NULL;
}

int devices_init(void)
{
	struct inode *dev;
	int error = path_find(LINUX_AT_FDCWD, "/dev", PATH_FOLLOW, &dev);
	if (!error)
		error = mount_in_dev(dev, "shm", &shm_mount, LINUX_S_ISVTX | 0777);
	if (!error)
		error = mount_in_dev(dev, "pts", &pts_mount, 0755);
	if (!error)
		error = name_masters(pts_mount.root, 0);
	if (!error)
		error = name_masters(dev, 0666);
	if (!error)
		error = name_standard_terminal();
	pty_init(pts_mount.root);
	if (!error)
		error = namei_symlink("/proc/self/fd", LINUX_AT_FDCWD, "/dev/fd");
	return error;
}
