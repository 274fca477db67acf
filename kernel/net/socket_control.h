/* SPDX-License-Identifier: MIT */
/* Control data being written to the program's memory (cmsg(3)). */
#ifndef KERNEL_NET_SOCKET_CONTROL_H
#define KERNEL_NET_SOCKET_CONTROL_H

#include <stdint.h>

struct socket_control {
	uint64_t at, room;
	int told; /**< LINUX_MSG_CTRUNC */
};

/** Adds one piece, as much of it as fits. Returns 0 or -EFAULT. */
int socket_control_put(struct socket_control *control, int level, int type, const void *data, uint64_t bytes);

#endif
