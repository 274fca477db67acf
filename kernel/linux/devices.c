/* SPDX-License-Identifier: MIT */
/* Names in /dev that native images have not. Each is made once, at the start, after what is mounted over the root. */
#include "kernel/linux/devices.h"

#include "abi/errno.h"
#include "kernel/linux/mounts.h"
#include "kernel/vfs/namei.h"

static struct mount shm_mount = {.dev = 27, .next_ino = 1, .magic = LINUX_TMPFS_MAGIC};

static int mount_shm(struct inode *dev)
{
	struct inode *root = inode_create(&shm_mount, LINUX_S_IFDIR | LINUX_S_ISVTX | 0777);
	if (!root)
		return -ENOMEM;
	root->nlink = 2;
	root->dir.parent = root;
	shm_mount.root = root;
	int error = mounts_over(dev, "shm", root);
	if (!error)
		dev->nlink++;
	return error;
}

int devices_init(void)
{
	struct inode *dev;
	int error = path_find(LINUX_AT_FDCWD, "/dev", PATH_FOLLOW, &dev);
	if (!error)
		error = mount_shm(dev);
	if (!error)
		error = namei_symlink("/proc/self/fd", LINUX_AT_FDCWD, "/dev/fd");
	return error;
}
