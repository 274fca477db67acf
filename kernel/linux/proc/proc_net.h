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

/** proc_entry.text of the interfaces, of which no statistics are kept, of their routes, and of their addresses. */
int proc_net_dev(const struct proc_object *object, struct text *text);
int proc_net_route(const struct proc_object *object, struct text *text);
int proc_net_if_inet6(const struct proc_object *object, struct text *text);

#endif
