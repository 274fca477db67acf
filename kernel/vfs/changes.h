/* SPDX-License-Identifier: MIT */
/* What a program has done to files beside /out, /dev and /tmp: compared with what was there at the start, and told to
 * the host after the end. */
#ifndef KERNEL_VFS_CHANGES_H
#define KERNEL_VFS_CHANGES_H

#include "kernel/vfs/inode.h"

/** Has the changes below a mounted file system told; `root` is its number among the host's, or CHANGE_NO_ROOT. */
void changes_watch(struct mount *mount, uint32_t root);

/** What is created from now on is the program's work. May be called again. */
void changes_begin(void);

/** Tells of all changes (abi/changes.h), in the order of the mounts. Nobody wants that twice. */
void changes_tell(void);

#endif
