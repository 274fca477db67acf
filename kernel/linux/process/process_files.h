/* SPDX-License-Identifier: MIT */
/* Descriptors, directories and umask of processes: each has its own, but for those that clone(2) made with CLONE_FILES
 * and CLONE_FS. */
#ifndef KERNEL_LINUX_PROCESS_PROCESS_FILES_H
#define KERNEL_LINUX_PROCESS_PROCESS_FILES_H

#include "kernel/vfs/vfs.h"

/** A copy of what the running process has (fork(2)). NULL without memory. */
struct vfs_process *process_files_copy(void);

/** The same, with one owner more. */
struct vfs_process *process_files_share(void);

/** An owner less; the last one closes all. */
void process_files_put(struct vfs_process *files);

/** The running process has them alone from now on (execve(2)). 0 or -ENOMEM. */
int process_files_unshare(void);

#endif
