/* SPDX-License-Identifier: MIT */
/* Descriptors, directories and umask of processes. Each process has its own, unless clone(2) made it with CLONE_FILES
 * and CLONE_FS. */
#ifndef KERNEL_LINUX_PROCESS_PROCESS_FILES_H
#define KERNEL_LINUX_PROCESS_PROCESS_FILES_H

#include "kernel/vfs/vfs.h"

/** Copies the running process's files (fork(2)). NULL without memory. */
struct vfs_process *process_files_copy(void);

/** Returns the running process's files, with one owner added. */
struct vfs_process *process_files_share(void);

/** Removes an owner; the last one closes all files. */
void process_files_put(struct vfs_process *files);

/** Gives the running process its own copy of the files if it shares them (execve(2)). Returns 0 or -ENOMEM. */
int process_files_unshare(void);

#endif
