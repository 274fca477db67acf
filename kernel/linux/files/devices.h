/* SPDX-License-Identifier: MIT */
/* The additional contents of /dev for Linux programs. */
#ifndef KERNEL_LINUX_FILES_DEVICES_H
#define KERNEL_LINUX_FILES_DEVICES_H

#include <stdbool.h>

/** Adds /dev/shm, an empty file system for shm_open(3) and sem_open(3), the directory
 * /dev/pts with the names of terminals, /dev/ptmx, and the link /dev/fd. Returns 0 or a negative
 * errno. */
int devices_init(void);

/** Whether a standard stream is a terminal. */
bool devices_have_terminal(void);

#endif
