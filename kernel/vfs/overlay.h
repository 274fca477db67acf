/* SPDX-License-Identifier: MIT */
/* The root file system on an EROFS image: objects come from the image when they are first looked up, and every
 * change stays in memory. There is no upper and lower file system; an inode simply stops asking its backing. */
#ifndef KERNEL_VFS_OVERLAY_H
#define KERNEL_VFS_OVERLAY_H

#include "kernel/vfs/inode.h"

/**
 * Mounts an image: sets mount->root, with a reference, and mount->next_ino. 0, or a negative errno with *error
 * saying why the image was refused. Takes time that does not depend on the image's size.
 */
int overlay_mount(struct mount *mount, const void *image, uint64_t bytes, const char **error);

#endif
