/* SPDX-License-Identifier: MIT */
/* Pseudo-terminals (pty(7), pts(4), ioctl_tty(2)): an open of /dev/ptmx makes a master, and its terminal in /dev/pts.
 */
#ifndef KERNEL_LINUX_FILES_PTY_H
#define KERNEL_LINUX_FILES_PTY_H

#include "kernel/vfs/inode.h"

#define PTY_PTMX_RDEV (5UL << 8 | 2) /* of /dev/ptmx */

#define PTY_FIRST_INO 3 /* number of the inode of /dev/pts/0, as on Linux */

/** The operations of /dev/ptmx, whose every open makes a pair. */
extern const struct inode_ops pty_ptmx_ops;

/** Sets the directory of the terminals' names, /dev/pts. */
void pty_init(struct inode *directory);

/** Whether an inode is that of an open master. */
bool pty_is_master(const struct inode *inode);

/** Whether an inode is that of a terminal with a master. */
bool pty_is_terminal(const struct inode *inode);

#endif
