/* SPDX-License-Identifier: MIT */
/* The way outside the guest: connections and datagrams that the monitor carries by sockets of the host, and standard
 * input that comes as events. */
#ifndef KERNEL_NET_OUTSIDE_H
#define KERNEL_NET_OUTSIDE_H

#include "abi/network.h"
#include "kernel/net/socket_message.h"

/** Opens the way, if the monitor offers one. Called for each socket that may use it. */
void outside_init(void);

/** Whether the default route exists (--net host). */
bool outside_is_open(void);

/** Whether a way leads to an address that is not the guest's. answers: for a socket that may answer what comes from
 * outside, to which the monitor limits it. */
bool outside_has_route(const struct inet_address *to, bool answers);

/** Counts something that waits for the outside: a flow, a port, a socket with datagrams. While there is any, the guest
 * looks for events at the end of each kernel call, and time waits for them. */
void outside_begin_waiting(void);
void outside_end_waiting(void);

/** Counts something of which events can come at any time, but for which time does not wait. outside_begin_waiting
 * counts it, too. */
void outside_begin_looking(void);
void outside_end_looking(void);

/** Forgets, at the end of a run, the looks that were not for a network. */
void outside_forget_looks(void);

/** Takes all events that have come by now. */
void outside_look(void);

/** Sends a request of a flow, a socket or standard input to the monitor. */
void outside_request(const struct network_record *request, const void *payload);

/** Convert an address. */
struct network_address outside_address_to(const struct inet_address *from);
struct inet_address outside_address_from(const struct network_address *from);

/** --- outside_stream.c --- */

/** Begins a connection of a socket, which has its addresses, to the outside. Returns 0 or -ENOMEM. */
int outside_stream_connect(struct socket *socket);

/** After a socket began to listen, with a queue of `backlog`, and when it ends. */
void outside_stream_listen(const struct socket *socket);
void outside_stream_unlisten(const struct socket *socket);

/** Whether a program can wait for room to send: a socket with bytes that the monitor has not sent is not writable. */
bool outside_stream_wants_room(void);

/** Handles an event of a flow. payload: a message with its data, which the function takes over, or NULL. */
void outside_stream_event(const struct network_record *event, struct message *payload);

/** --- outside_datagram.c --- */

/** Before a socket sends a datagram to the outside: from now on it waits for others. */
void outside_datagram_begin(struct socket *socket);

/** Sends a datagram, whose addresses are known, to the outside. Frees it. */
void outside_datagram_send(struct message *message);

/** After a socket was bound, and when it is closed. */
void outside_datagram_open(struct socket *socket);
void outside_datagram_close(struct socket *socket);

/** Handles an event of a port. payload: as above. */
void outside_datagram_event(const struct network_record *event, struct message *payload);

/** --- outside_input.c --- */

/** Makes the outside the source of standard input, if it comes as events. */
void outside_input_init(void);

/** Clears, at the end of a run, what only this source of standard input has left in memory: see input_forget. */
void outside_input_forget(void);

/** Takes and handles an event of standard input. */
void outside_input_event(const struct network_record *event);

/** Whether time waits for standard input: input_is_awaited. */
bool outside_input_is_awaited(bool is_last);

#endif
