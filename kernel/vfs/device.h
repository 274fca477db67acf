/* SPDX-License-Identifier: MIT */
/* The devices of /dev, and the console, on which descriptors 0 to 2 are open. */
#ifndef KERNEL_VFS_DEVICE_H
#define KERNEL_VFS_DEVICE_H

#include "kernel/vfs/file.h"

/** A device number as in st_rdev (makedev(3)), for major and minor below 256. */
#define DEVICE(major, minor) ((uint64_t)(major) << 8 | (minor))
#define DEVICE_TERMINAL(number) DEVICE(136, ((number)&0xff) | ((uint64_t)(number) & ~0xffUL) << 12) /* /dev/pts */
#define DEVICE_ZERO DEVICE(1, 5)

/** Opens an inode of a character device; -ENXIO for an unknown device number. */
extern const struct inode_ops device_inode_ops;

/** Fills a directory with the devices. Returns 0 or a negative errno. */
int device_populate(struct inode *dir);

/** Writes random bytes to the program's memory, up to the first byte that cannot be written. Returns their number, or
 * -EFAULT for none. */
long device_draw(void *to, size_t bytes);

/** Chooses the operations of the standard streams, by input_source and the personality. */
void device_choose_stream(void);

/** Opens the console for descriptor 0, 1 or 2. Returns 0 or a negative errno. */
int device_open_console(int fd, struct file **out);

#endif
