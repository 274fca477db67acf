/* SPDX-License-Identifier: MIT */
/* What is under way between internet sockets: --net-fault delay= and partition=.
 *
 * Whatever one socket does to another one passes here: a piece of a stream, its end, a reset, a connection attempt, a
 * datagram. Without these faults it arrives at once. With them it arrives after a delay of virtual time, at a moment
 * that is decided when it is sent. Until then it is in one list, in the order of these moments, and a timer of the
 * kernel releases it. The sender goes on, but what it sent stays charged to its buffer.
 *
 * - What travels to one socket of a connection arrives in the order in which it was sent: none has an earlier moment
 *   than the one before it. Datagrams may overtake each other.
 * - What belongs to a connection and was sent in a partition counts as sent at the partition's end, and what would
 *   arrive in one arrives at its end, as if TCP had sent it again. Datagrams are lost in both cases.
 * - The program may close, disconnect or connect a socket anew while something is under way to it. Each connection has
 *   a number (struct inet), by which the arrival finds out. */
#ifndef KERNEL_NET_FAULT_NET_DELAY_H
#define KERNEL_NET_FAULT_NET_DELAY_H

#include "kernel/net/socket_message.h"

/** Something that is under way. */
struct net_delay_item {
	/** Called once, at the moment of the arrival: at the end of a kernel call or of a countdown, when no thread is
	 * ready, or at once. Both sockets exist then, but may be closed. */
	void (*arrive)(const struct net_delay_item *item);
	struct socket *from, *to; /**< NULL: unknown, or outside the guest; net_delay_pass takes references */
	struct message *message;  /**< NULL: none; `arrive` takes it over */
	uint64_t connection;      /**< number of the connection; 0: a datagram */
	int value;                /**< for `arrive` */
	bool is_round_trip;       /**< takes two delays: there and back */
	bool is_leaving;          /**< goes to the outside */
};

/** Whether the run delays anything. */
bool net_delay_is_on(void);

/** Sends something on its way. Returns false if it is lost, which happens to datagrams only; the caller then still has
 * the message. */
bool net_delay_pass(const struct net_delay_item *item);

/** Has something arrive at a moment of the virtual clock, with or without faults. Returns false without memory. */
bool net_delay_hold(const struct net_delay_item *item, uint64_t moment_ns);

/** What a socket has sent to the outside arrives now, because the socket is closed. NULL: what all have sent, because
 * the run ends. */
void net_delay_hurry(const struct socket *from);

/** Bytes of messages under way that are charged to a socket. */
uint64_t net_delay_charged(const struct socket *from);

#endif
