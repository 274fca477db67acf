/* SPDX-License-Identifier: MIT */
/* The queue of errors of a socket (recvmsg(2), MSG_ERRQUEUE; ip(7), IP_RECVERR): destinations that cannot be reached,
 * with the data that were sent there, and sends with MSG_ZEROCOPY that are done. */
#ifndef KERNEL_NET_SOCKET_ERROR_H
#define KERNEL_NET_SOCKET_ERROR_H

#include "kernel/net/socket_control.h"
#include "kernel/net/socket_message.h"

/** Queues the error that no socket has the port of a datagram's destination, with the datagram's data. Nothing is
 * queued without memory, or if the program does not read the queue. */
void socket_error_unreachable(struct socket *socket, const struct message *datagram);

/** Queues that a send with MSG_ZEROCOPY is done; its data were copied. Sends are counted from 0. */
void socket_error_copied(struct socket *socket);

/** Receives the first error of the queue. Returns the number of data bytes, -EAGAIN or -EFAULT. */
long socket_error_receive(struct socket *socket, struct socket_receive *receive);

/** Adds a received error to the control data. Returns 0 or -EFAULT. */
int socket_error_put(const struct socket *socket, const struct socket_receive *receive, struct socket_control *control);

/** Frees the queue of a closed socket. */
void socket_error_free(struct socket *socket);

#endif
