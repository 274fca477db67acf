/* SPDX-License-Identifier: MIT */
/* The devices of /dev, and the console that descriptors 0 to 2 are open on. */
#ifndef KERNEL_VFS_DEVICE_H
#define KERNEL_VFS_DEVICE_H

#include "kernel/vfs/file.h"

/** A device number as st_rdev has it (makedev(3)), for major and minor below 256. */
#define DEVICE(major, minor) ((uint64_t)(major) << 8 | (minor))
#define DEVICE_ZERO DEVICE(1, 5)

/** How an inode of a character device is opened: -ENXIO for a number that is not known. */
extern const struct inode_ops device_inode_ops;

/** Fills a directory with the devices. 0 or a negative errno. */
int device_populate(struct inode *dir);

/** Whether the console can be read and written, and ioctl(2) where it is no terminal: of Linux programs alone.
 * Elsewhere it is as ready as a regular file. */
__attribute__((weak)) unsigned int device_stream_poll(struct file *file);
__attribute__((weak)) long device_stream_ioctl(struct file *file, unsigned long request, void *arg);

/** Writes random bytes to the program's memory, up to the first that it cannot write. How many, or -EFAULT for none. */
long device_draw(void *to, size_t bytes);

/** The console's open file for descriptor 0, 1 or 2. 0 or a negative errno. */
int device_open_console(int fd, struct file **out);

#endif
