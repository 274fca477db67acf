/* SPDX-License-Identifier: MIT */
/* /proc/net: tables of sockets (proc(5)). */
#ifndef KERNEL_LINUX_PROC_PROC_NET_H
#define KERNEL_LINUX_PROC_PROC_NET_H

#include "kernel/linux/proc/proc.h"

/** proc_entry.text of the tables of one family and type. */
int proc_net_tcp(const struct proc_object *object, struct text *text);
int proc_net_tcp6(const struct proc_object *object, struct text *text);
int proc_net_udp(const struct proc_object *object, struct text *text);
int proc_net_udp6(const struct proc_object *object, struct text *text);
int proc_net_unix(const struct proc_object *object, struct text *text);

/** proc_entry.refresh of `net` in a process's directory: the same files for each process. */
int proc_net_refresh(struct inode *dir, const char *name, size_t length);

/** The directories of the interfaces in /sys. */
extern const struct proc_entry proc_interface_table[];

#endif
