/* SPDX-License-Identifier: MIT */
/* TCP (tcp(7)). */
#ifndef KERNEL_NET_INET_STREAM_H
#define KERNEL_NET_INET_STREAM_H

#include "kernel/net/inet.h"
#include "kernel/net/inet_option.h"

#define INET_STREAM_PIECE 65536 /* bytes of a message at most, so that no allocation is large */

/** Sends a connection attempt of a socket, whose addresses are known. It reaches what listens in the guest, or goes
 * outside. Returns 0 or -ENOMEM. */
int inet_stream_attempt(struct socket *socket);

/** Takes a socket out of the queue of those that wait for a listener's room; does nothing for others. */
void inet_stream_stop_waiting(struct socket *socket);

/** The connection of a socket with its peer, which refer to each other, exists now. */
void inet_stream_connect_pair(struct socket *socket, struct socket *peer);

/** The end of a connection in either way: nothing is received or sent any more. */
void inet_stream_end(struct socket *socket);

/** A connection that was begun fails, with an errno. */
void inet_stream_refuse(struct socket *socket, int error);

/** Ends one direction of a connection: the peer finds the end behind what it was sent. */
void inet_stream_finish(struct socket *socket);

/** Sends a message to the peer, and charges it. */
void inet_stream_send_message(struct socket *from, struct message *message, bool is_urgent);

/** Sends a reset. */
void inet_stream_send_reset(struct socket *from, struct socket *to);

/** A reset arrives (RFC 9293, 3.10.7.4). What was received before can still be read. */
void inet_stream_reset(struct socket *socket);

#endif
