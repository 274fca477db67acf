/* SPDX-License-Identifier: MIT */
/* Record locks of fcntl(2). */
#ifndef KERNEL_SYS_FILE_LOCK_H
#define KERNEL_SYS_FILE_LOCK_H

#include "abi/linux.h"
#include "kernel/vfs/file.h"

/** F_GETLK, F_SETLK, F_SETLKW and their F_OFD_ forms; fd is open. `user` is a pointer of the program. Returns 0 or a
 * negative errno. */
long file_lock_control(int fd, int command, struct linux_flock *user);

#endif
