/* SPDX-License-Identifier: MIT */
#ifndef KERNEL_LINUX_EVENT_EVENTFD_H
#define KERNEL_LINUX_EVENT_EVENTFD_H

#include "kernel/linux/files/text.h"
#include "kernel/vfs/file.h"

/** Adds what /proc/PID/fdinfo tells of an eventfd(2), and of other files nothing. */
void eventfd_info(const struct file *file, struct text *text);

#endif
