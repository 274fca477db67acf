/* SPDX-License-Identifier: MIT */
/* Files of the host (abi/host_file.h) as a file system: read-only beneath, and what the program changes in memory. */
#ifndef KERNEL_LINUX_FILES_HOSTFS_H
#define KERNEL_LINUX_FILES_HOSTFS_H

#include "kernel/vfs/inode.h"

/**
 * Makes a mount of one of the host's roots, by its handle: sets mount->root, with a reference, which is a directory or
 * a regular file. The mount's dev, next_ino, magic and read_only are the caller's. `times`: regular files have their
 * times of the host, and what the program changes is to be later than all of them that it has looked at. 0 or a
 * negative errno.
 */
int hostfs_mount(struct mount *mount, uint32_t handle, bool times);

#endif
