/* SPDX-License-Identifier: MIT */
/* The root file system on an EROFS image: objects are loaded from the image at their first lookup, and every change
 * stays in memory. There are no upper and lower file systems; a changed inode simply stops asking its backing. */
#ifndef KERNEL_VFS_OVERLAY_H
#define KERNEL_VFS_OVERLAY_H

#include "kernel/vfs/inode.h"

/** Mounts an image: sets mount->root, with a reference, and mount->next_ino. Returns 0, or a negative errno with *error
 * saying why the image was refused. The time it takes does not depend on the image's size. */
int overlay_mount(struct mount *mount, const void *image, uint64_t bytes, const char **error);

#endif
