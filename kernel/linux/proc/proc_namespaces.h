/* SPDX-License-Identifier: MIT */
/* The links in /proc/PID/ns. */
#ifndef KERNEL_LINUX_PROC_PROC_NAMESPACES_H
#define KERNEL_LINUX_PROC_PROC_NAMESPACES_H

#include "kernel/linux/proc/proc.h"

/** proc_entry.text and .follow of a link whose path is "ns/" and the kind of namespace. */
int proc_namespace_text(const struct proc_object *object, struct text *text);
int proc_namespace_follow(const struct proc_object *object, struct inode **to);

#endif
