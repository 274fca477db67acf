/* SPDX-License-Identifier: MIT */
/* chroot(2). As on Linux, the working directory stays, and open directories outside the new root can still be used. */
#include "abi/errno.h"
#include "kernel/personality.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/path.h"
#include "kernel/vfs/vfs.h"

#define CAP_SYS_CHROOT 18 /* capabilities(7) */

long sys_chroot(const char *path)
{
	struct inode *inode;
	int error = path_find(LINUX_AT_FDCWD, path, PATH_FOLLOW, &inode);
	if (error < 0)
		return error;
	if (!LINUX_S_ISDIR(inode->mode))
		return -ENOTDIR;
	if (!personality.may(CAP_SYS_CHROOT))
		return -EPERM;
	inode_get(inode);
	inode_put(process_current->files->root);
	process_current->files->root = inode;
	return 0;
}
