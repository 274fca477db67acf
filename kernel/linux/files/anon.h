/* SPDX-License-Identifier: MIT */
/* Open files that stand for something of the kernel's and have no name: eventfd(2), epoll(7), timerfd_create(2). */
#ifndef KERNEL_LINUX_FILES_ANON_H
#define KERNEL_LINUX_FILES_ANON_H

#include "kernel/vfs/file.h"

/**
 * An open file with these operations and their object, which the caller keeps when there is an error. flags: access
 * mode and LINUX_O_NONBLOCK. Each has an inode of its own, which those who watch it find. The name is what links in
 * /proc have behind "anon_inode:", and stays the caller's. 0 or -ENOMEM.
 */
int anon_open(const char *name, const struct file_ops *ops, void *object, int flags, struct file **out);

/** That name; NULL: it is not of these. */
const char *anon_name(const struct inode *inode);

/** The same with an inode of a mount and a mode of the caller's. */
int anon_open_on(struct mount *mount, uint32_t mode, const struct file_ops *ops, void *object, int flags,
                 struct file **out);

/** The lowest free descriptor becomes the file's, with the caller's reference; -EMFILE gives that back. */
long anon_install(struct file *file, bool cloexec);

/** The file of a descriptor that is not O_PATH, without a reference; NULL: there is none. */
struct file *anon_get(int fd);

/** Tells those who watch and those who poll that these events hold. */
void anon_tell(const struct inode *inode, unsigned int events);

#endif
