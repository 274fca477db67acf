/* SPDX-License-Identifier: MIT */
/* Changes that a program made to files outside the directories of the guest's own (abi/own_paths.h): compared with the
 * state at the start, and reported to the host after the end. */
#ifndef KERNEL_VFS_CHANGES_H
#define KERNEL_VFS_CHANGES_H

#include "kernel/vfs/inode.h"

/** Reports the changes below a mounted file system. `root` is its number among the host's roots, or CHANGE_NO_ROOT. */
void changes_watch(struct mount *mount, uint32_t root);

/** Everything created from now on counts as the program's. May be called again. */
void changes_begin(void);

/** Reports all changes (abi/changes.h), in the order of the mounts. Called once. */
void changes_tell(void);

#endif
