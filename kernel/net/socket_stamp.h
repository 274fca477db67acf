/* SPDX-License-Identifier: MIT */
/* Moments at which messages arrived (socket(7), SO_TIMESTAMP; SO_TIMESTAMPING of the kernel's documentation), and how
 * many datagrams were lost (SO_RXQ_OVFL). */
#ifndef KERNEL_NET_SOCKET_STAMP_H
#define KERNEL_NET_SOCKET_STAMP_H

#include "kernel/net/socket_control.h"
#include "kernel/net/socket_message.h"

/** Sets an option of this kind. Returns 0, -EINVAL, or 1 for other options. Moments at which data leave are refused. */
int socket_stamp_set(struct socket *socket, int option, int value);

/** Stores the value of an option of this kind and its length. Returns 0, or 1 for other options. */
int socket_stamp_get(const struct socket *socket, int option, int32_t value[2], int *bytes);

/** Adds what the options ask for to the control data of a received message. Returns 0 or -EFAULT. */
int socket_stamp_put(const struct socket *socket, const struct socket_receive *receive, struct socket_control *control);

#endif
