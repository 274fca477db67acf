/* SPDX-License-Identifier: MIT */
#ifndef KERNEL_LINUX_EVENT_INOTIFY_H
#define KERNEL_LINUX_EVENT_INOTIFY_H

#include "kernel/linux/files/text.h"
#include "kernel/vfs/file.h"

/** Adds the lines of /proc/PID/fdinfo for the watches of an inotify(7) instance; for other files nothing. */
void inotify_info(const struct file *file, struct text *text);

#endif
