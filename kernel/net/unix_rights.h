/* SPDX-License-Identifier: MIT */
/* Unix sockets whose only references are in messages that nobody can receive any more. */
#ifndef KERNEL_NET_UNIX_RIGHTS_H
#define KERNEL_NET_UNIX_RIGHTS_H

#include "kernel/net/socket.h"

/** Notes that a message with these files was delivered. */
void unix_rights_sent(struct file *const *files, unsigned count);

/** Closes the sockets that only messages in their own queues, or in each other's, refer to (SCM_RIGHTS). Called after a
 * reference to a socket was dropped: `left` is the socket, or NULL if that was the last one. */
void unix_rights_closed(struct socket *left);

#endif
