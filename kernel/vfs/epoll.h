/* SPDX-License-Identifier: MIT */
/* Sets of descriptors to wait on: epoll(7). */
#ifndef KERNEL_VFS_EPOLL_H
#define KERNEL_VFS_EPOLL_H

#include "abi/linux_event.h"
#include "kernel/sched/process.h"
#include "kernel/vfs/file.h"
#include "kernel/vfs/watches.h"

/** Opens an empty set. Returns 0 or -ENOMEM. */
int epoll_open(struct file **out);

/** Whether an open file is an epoll set. */
bool epoll_is(const struct file *file);

/** epoll_ctl(2) on a set. event is in kernel memory, and unused for LINUX_EPOLL_CTL_DEL. Returns 0 or a negative
 * errno. */
int epoll_control(struct file *set, int operation, int fd, struct file *file, const struct linux_epoll_event *event);

/** Stores up to max (above 0) events in the program's memory, oldest first. Returns their number, or -EFAULT. */
int epoll_collect(struct file *set, struct linux_epoll_event *user, int max);

/** Waits for an event. Returns 0 when it is worth collecting, -ETIMEDOUT or -EINTR. */
int epoll_wait(struct file *set, uint64_t deadline_ns);

/** Reports events that only one process has, to the sets to which that process added the file: signalfd(2), whose
 * readers see the signals of their own process. Linux waits at the queue of the process that calls epoll_ctl(2). */
void epoll_tell_of_process(const struct inode *inode, unsigned int events, const struct process *process);

/** The functions of struct inode_watches, for the members of sets. */
void epoll_changed(struct watches *watches, unsigned int events);
void epoll_closed(struct watches *watches, const struct file *file);

#endif
