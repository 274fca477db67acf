/* SPDX-License-Identifier: MIT */
/* The host's files (abi/host_file.h) as a file system. The host's files are read-only; the program's changes stay in
 * memory. */
#ifndef KERNEL_LINUX_FILES_HOSTFS_H
#define KERNEL_LINUX_FILES_HOSTFS_H

#include "kernel/vfs/inode.h"

/** Makes a mount of one of the host's roots, by its handle. Sets mount->root, with a reference, to a directory or a
 * regular file. The caller sets the mount's dev, next_ino, magic and read_only. `times`: regular files have the host's
 * times, and the program's changes get later times than all files that it has looked at. Returns 0 or a negative
 * errno. */
int hostfs_mount(struct mount *mount, uint32_t handle, bool times);

/** personality.forget: clears the attributes of objects that the program did not ask for, and the last answer,
 * which may have them: in another run of the same program they may be different. Called once, before memory is hashed.
 */
void hostfs_forget(void);

#endif
