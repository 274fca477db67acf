/* SPDX-License-Identifier: MIT */
/* As on Linux, less than a full segment waits at most 200 ms, counted from the first byte: there the timer that probes
 * the peer's window sends it. Nagle's algorithm holds nothing back here, because data are acknowledged at once.
 *
 * At most one timer of a connection is under way. It may have been set for bytes that were sent since. */
#include "kernel/net/inet/inet_cork.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/net/fault/net_delay.h"
#include "kernel/net/inet_memory.h"
#include "kernel/net/inet_option.h"
#include "kernel/net/inet_stream.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

#define LONGEST_NS (NS_PER_S / 5)

static bool holds(const struct socket *socket, int flags)
{
	return (flags & LINUX_MSG_MORE) || inet_option_is_on(socket, INET_CORK);
}

static size_t held_bytes(const struct socket *socket)
{
	return socket->inet.held ? socket->inet.held->bytes : 0;
}

size_t inet_cork_piece(const struct socket *socket, int flags, size_t bytes)
{
	const size_t held = held_bytes(socket), segment = inet_option_segment(socket);
	if (!holds(socket, flags))
		return held + bytes <= INET_STREAM_PIECE ? bytes : INET_STREAM_PIECE - held;
	if (held + bytes < segment)
		return bytes;
	return held ? segment - held : bytes - bytes % segment;
}

/* Takes what waits, which is still charged to the socket. */
static struct message *take_held(struct socket *socket)
{
	struct message *held = socket->inet.held;
	socket->inet.held = NULL;
	return held;
}

void inet_cork_drop(struct socket *socket)
{
	struct message *held = take_held(socket);
	if (!held)
		return;
	inet_memory_discharge(socket, held->charge);
	kfree(held);
}

void inet_cork_release(struct socket *socket)
{
	if (socket->inet.held && socket->inet.tcp != LINUX_TCP_CLOSE && socket->peer)
		inet_stream_send_message(socket, take_held(socket), false);
	inet_cork_drop(socket);
}

static void set_timer(struct socket *socket);

/* The timer of the arrivals; or the run ends, and what goes outside has to go now. */
static void end_holding(const struct net_delay_item *item)
{
	struct socket *socket = item->from;
	socket->inet.has_held_timer = false;
	if (!socket->inet.held)
		return;
	if (item->is_leaving || vclock_now() >= socket->inet.held_until_ns)
		inet_cork_release(socket);
	else
		set_timer(socket);
}

static void set_timer(struct socket *socket)
{
	const struct net_delay_item item = {.arrive = end_holding,
	                                    .from = socket,
	                                    .connection = socket->inet.connection,
	                                    .is_leaving = socket->peer && socket->peer->inet.flow};
	if (!socket->inet.has_held_timer)
		socket->inet.has_held_timer = net_delay_hold(&item, socket->inet.held_until_ns);
}

/* Appends a message's bytes to those that wait. Takes the message. */
static int append_held(struct socket *socket, struct message *message)
{
	struct message *held = socket->inet.held;
	const size_t all = held->bytes + message->bytes;
	if (all > held->room) {
		const size_t room = all < INET_STREAM_PIECE / 2 ? 2 * all : INET_STREAM_PIECE;
		held = krealloc(held, sizeof(*held) + room);
		if (!held) {
			kfree(message);
			return -ENOBUFS;
		}
		held->room = room;
		socket->inet.held = held;
	}
	memcpy(held->data + held->bytes, message->data, message->bytes);
	held->bytes = all;
	inet_memory_charge(socket, message->bytes);
	held->charge += message->bytes;
	kfree(message);
	return 0;
}

static void begin_holding(struct socket *socket, struct message *message)
{
	message->room = message->bytes;
	message->charge = message->bytes;
	inet_memory_charge(socket, message->bytes);
	socket->inet.held = message;
	socket->inet.held_until_ns = vclock_now() + LONGEST_NS;
	set_timer(socket);
}

int inet_cork_add(struct socket *socket, int flags, struct message **message)
{
	const bool waits =
		holds(socket, flags) && held_bytes(socket) + (*message)->bytes < (size_t)inet_option_segment(socket);
	if (socket->inet.held) {
		int error = append_held(socket, *message);
		*message = error || waits ? NULL : take_held(socket);
		return error;
	}
	if (!waits)
		return 0;
	begin_holding(socket, *message);
	*message = NULL;
	return 0;
}

void inet_cork_option(struct socket *socket, int level, int option)
{
	if (level != LINUX_IPPROTO_TCP)
		return;
	if ((option == LINUX_TCP_CORK && !inet_option_is_on(socket, INET_CORK)) ||
	    (option == LINUX_TCP_NODELAY && inet_option_is_on(socket, INET_NODELAY)))
		inet_cork_release(socket);
}
