/* SPDX-License-Identifier: MIT */
/* Which names of a directory of the host are looked up before the program asks. Objects that were looked up ahead are
 * guesses, and a guess is judged by what the program does: it is right if the program uses the object, and wrong if it
 * goes past it. Directories count separately, because find(1) uses no other objects. Verdicts depend on nothing but the
 * program's accesses and the names and types in directories. */
#ifndef KERNEL_LINUX_FILES_HOST_GUESS_H
#define KERNEL_LINUX_FILES_HOST_GUESS_H

#include <stdbool.h>

#include "kernel/vfs/dentry.h"

/** Notes that the object of a name was looked up ahead. Sets dentry->ahead. */
void host_guess_made(struct dentry *dentry);

/** Notes that the program uses an object that was looked up ahead. Clears dentry->ahead. */
void host_guess_used(struct dentry *dentry);

/** Notes that a directory is listed now: the program has left the last one, unless that is the parent. */
void host_guess_listed(struct inode *dir);

/** Notes that an inode ends. */
void host_guess_forget(const struct inode *inode);

/** Whether guesses of directories, or of other objects, were mostly right lately. */
bool host_guess_is_right(bool directories);

#endif
