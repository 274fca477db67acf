/* SPDX-License-Identifier: MIT */
/* What Linux programs find in /dev beside the devices of every program. */
#ifndef KERNEL_LINUX_FILES_DEVICES_H
#define KERNEL_LINUX_FILES_DEVICES_H

#include <stdbool.h>

/** Adds /dev/shm, an empty file system for shm_open(3) and sem_open(3), and the link /dev/fd. 0 or a negative errno. */
int devices_init(void);

/** Whether a standard stream is a terminal, which has a name in /dev/pts. */
bool devices_have_terminal(void);

#endif
