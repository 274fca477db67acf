/* SPDX-License-Identifier: MIT */
#ifndef KERNEL_LINUX_EVENT_EVENTFD_H
#define KERNEL_LINUX_EVENT_EVENTFD_H

#include "kernel/linux/files/text.h"
#include "kernel/vfs/file.h"

/** Adds the line of /proc/PID/fdinfo for an eventfd(2); for other files nothing. */
void eventfd_info(const struct file *file, struct text *text);

#endif
