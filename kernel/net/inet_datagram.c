/* SPDX-License-Identifier: MIT */
/* UDP inside the guest (udp(7), RFC 768). Datagrams arrive at once and in the order in which they were sent, unless
 * net_delay.h delays them. */
#include "kernel/net/inet_datagram.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/net/fault/net_delay.h"
#include "kernel/net/fault/net_fault.h"
#include "kernel/net/inet.h"
#include "kernel/net/inet/inet_segment.h"
#include "kernel/net/inet_control.h"
#include "kernel/net/inet_group.h"
#include "kernel/net/inet_option.h"
#include "kernel/net/inet_port.h"
#include "kernel/net/inet_table.h"
#include "kernel/net/net_interface.h"
#include "kernel/net/net_interface.h"
#include "kernel/net/outside/outside.h"
#include "kernel/net/socket_error.h"

#define LENGTH_MAX 65535
#define V4_MAX (LENGTH_MAX - 20 - 8) /* without the headers of IP and UDP */
#define V6_MAX (LENGTH_MAX - 8)
#define LO 1
#define TTL_FROM_OUTSIDE 64 /* the monitor does not know it */
#define OVERHEAD 768        /* what Linux charges for a small datagram */
#define SMALL 256           /* bytes of data in it */

/* Memory that datagrams from outside may take while they are under way. More are lost, as in a router that is full. */
#define COMING_MAX 4194304

static uint64_t coming; /* what they take now */

static int no_listen(struct socket *)
{
	return -EOPNOTSUPP;
}

static void disconnect_datagram(struct socket *socket)
{
	socket->state = SOCKET_UNCONNECTED;
	if (!socket->inet.has_port)
		outside_datagram_close(socket);
	inet_port_release(socket);
}

static int datagram_connect(struct socket *socket, const struct socket_address *name, bool)
{
	struct inet_address to;
	if (name->bytes < sizeof(name->family))
		return -EINVAL;
	if (name->family == LINUX_AF_UNSPEC) {
		disconnect_datagram(socket);
		return 0;
	}
	int error = inet_destination(socket, name, &to);
	if (!error)
		error = inet_port_route(socket, &to, !inet_address_is_multicast(&to));
	if (error)
		return error == -EADDRINUSE ? -EAGAIN : error;
	if (inet_address_is_multicast(&to) && inet_address_is_any(&socket->inet.local)) {
		const struct inet_address source = inet_group_source(socket, &to);
		memcpy(socket->inet.local.bytes, source.bytes, sizeof(source.bytes));
	}
	socket->inet.remote = to;
	socket->state = SOCKET_CONNECTED;
	if (socket->inet.cork && socket->domain == LINUX_AF_INET) /* as on Linux */
		socket->inet.cork->to = to;
	return 0;
}

static int datagram_peer_name(const struct socket *socket, bool, struct socket_address *name)
{
	if (socket->state != SOCKET_CONNECTED || !socket->inet.remote.port)
		return -ENOTCONN;
	inet_address_write(&socket->inet.remote, socket->domain, name);
	return 0;
}

/* As on Linux, an unconnected socket is shut down in spite of the error. */
static int datagram_shutdown(struct socket *socket, int shut)
{
	socket->shut |= shut;
	socket_tell(socket, SOCKET_ANYTHING);
	return socket->state == SOCKET_CONNECTED ? 0 : -ENOTCONN;
}

static void drop_cork(struct socket *socket)
{
	kfree(socket->inet.cork);
	socket->inet.cork = NULL;
}

static void datagram_close(struct socket *socket, bool)
{
	outside_datagram_close(socket);
	drop_cork(socket);
	inet_group_leave_all(socket);
	inet_table_remove(socket);
}

/* A socket is charged for what is under way only. */
static bool is_datagram_writable(const struct socket *socket)
{
	return socket->charged < socket->send_bytes;
}

static unsigned int datagram_poll(const struct socket *socket)
{
	unsigned int events = socket->error || !list_is_empty(&socket->errors) ? LINUX_POLLERR : 0;
	if (socket->shut == SOCKET_SHUT_BOTH)
		events |= LINUX_POLLHUP;
	if (socket->shut & SOCKET_SHUT_RECEIVE)
		events |= LINUX_POLLRDHUP | SOCKET_READABLE;
	if (!list_is_empty(&socket->messages))
		events |= SOCKET_READABLE;
	return is_datagram_writable(socket) ? events | SOCKET_WRITABLE : events;
}

static int check_datagram_receive(struct socket *)
{
	return 0;
}

static void describe_datagram(const struct message *message, struct socket_receive *receive)
{
	const struct socket *receiver = message->receiver;
	inet_address_write(&message->from, receiver->domain, &receive->from);
	receive->to = message->to;
}

static uint64_t datagram_memory(const struct message *message)
{
	return OVERHEAD + (message->bytes > SMALL ? message->bytes : 0);
}

static void datagram_taken(struct message *message, bool)
{
	message->receiver->inet.received -= datagram_memory(message);
}

/* Linux reports it to connected sockets, and to all that ask for it. */
void inet_datagram_refuse(struct socket *socket, const struct message *datagram)
{
	bool queues = inet_option_is_on(socket, inet_address_is_v4(&datagram->to) ? INET_RECVERR : INET_V6_RECVERR);
	if (socket->state != SOCKET_CONNECTED && !queues)
		return;
	if (queues)
		socket_error_unreachable(socket, datagram);
	socket->error = ECONNREFUSED;
	socket_tell(socket, SOCKET_ANYTHING);
}

/* Finds the destination of a datagram. */
static int find_destination(struct socket *socket, const struct socket_send *send, struct inet_address *to)
{
	if (send->to.bytes) {
		int error = inet_destination(socket, &send->to, to);
		return error ? error : to->port ? 0 : -EINVAL;
	}
	*to = socket->inet.remote;
	return socket->state == SOCKET_CONNECTED ? 0 : -EDESTADDRREQ;
}

static int check_datagram_send(struct socket *socket, const struct socket_send *send, size_t bytes,
                               struct inet_address *to)
{
	int error = inet_port_choose(socket); /* Linux does so before it looks at the destination */
	if (!error)
		error = find_destination(socket, send, to);
	if (!error)
		error = inet_port_route(socket, to, false);
	if (error)
		return error == -EADDRINUSE ? -EAGAIN : error;
	if (socket->interface > NET_INTERFACES)
		return inet_address_is_v4(to) ? -ENODEV : -ENETUNREACH;
	if (send->has_source && inet_address_is_v4(&send->source) != inet_address_is_v4(to))
		return -EINVAL;
	if (bytes > (inet_address_is_v4(to) ? V4_MAX : V6_MAX))
		return -EMSGSIZE;
	error = socket_take_error(socket);
	bool is_shut = socket->shut & SOCKET_SHUT_SEND && !(send->flags & LINUX_MSG_PROBE);
	return error ? error : is_shut ? -EPIPE : 0;
}

/* The address from which a datagram comes. */
static struct inet_address source_of(const struct socket *socket, const struct socket_send *send,
                                     const struct inet_address *to)
{
	struct inet_address from = socket->inet.local;
	if (send->has_source)
		from = send->source;
	else if (inet_address_is_multicast(to) && (inet_address_is_any(&from) || inet_address_is_multicast(&from)))
		from = inet_group_source(socket, to);
	else if (inet_address_is_any(&from))
		from = inet_address_source(to);
	from.port = socket->inet.local.port;
	return from;
}

/* Puts a datagram into a socket's queue, if there is room. */
static void receive_datagram(struct socket *socket, struct message *message)
{
	message->receiver = socket;
	if (socket->inet.received + datagram_memory(message) > socket->receive_bytes) { /* dropped silently */
		socket->lost++;
		socket_message_free(message);
		return;
	}
	socket->inet.received += datagram_memory(message);
	message->lost = socket->lost;
	socket_message_deliver(socket, message, false);
	struct list *before = message->queue.previous;
	if (before != &socket->messages && net_fault_happens(BOOT_FAULT_REORDER)) { /* it overtakes the one before it */
		list_remove(&message->queue);
		list_add_before(before, &message->queue);
	}
}

/* NULL: no socket has the port. */
static void receive(struct socket *socket, struct message *message)
{
	if (!socket)
		socket_message_free(message);
	else if (message->segment && !inet_option_is_on(socket, INET_UDP_GRO))
		inet_segment_each(message, receive_datagram, socket);
	else
		receive_datagram(socket, message);
}

/* A datagram arrives at a socket that got it as a member of a group, or at the one that has the port now. */
static void datagram_arrives(const struct net_delay_item *item)
{
	struct message *message = item->message;
	struct socket *sender = message->sender, *receiver = item->to;
	socket_message_discharge(message);
	if (!sender)
		coming -= datagram_memory(message);
	if (receiver) {
		receive(receiver->dead ? NULL : receiver, message);
		return;
	}
	receiver = inet_port_find(LINUX_SOCK_DGRAM, &message->to, &message->from);
	if (!receiver && sender && !sender->dead)
		inet_datagram_refuse(sender, message);
	receive(receiver, message);
}

static void leave_datagram(struct socket *, struct message *datagram)
{
	outside_datagram_send(datagram);
}

static void datagram_leaves(const struct net_delay_item *item)
{
	if (item->message->segment)
		inet_segment_each(item->message, leave_datagram, NULL);
	else
		outside_datagram_send(item->message);
}

/* Sends a datagram on its way, to a member of a group, to the socket that has the port, or to the outside. */
static void pass_datagram(struct socket *from, struct socket *to, struct message *message, bool is_leaving)
{
	const struct net_delay_item item = {.arrive = is_leaving ? datagram_leaves : datagram_arrives,
	                                    .from = from,
	                                    .to = to,
	                                    .message = message,
	                                    .is_leaving = is_leaving};
	message->sender = socket_get(from);
	if (net_delay_is_on()) {
		message->charge = datagram_memory(message);
		from->charged += message->charge;
	}
	if (!net_delay_pass(&item))
		socket_message_free(message);
}

void inet_datagram_come(struct message *message)
{
	const struct net_delay_item item = {.arrive = datagram_arrives, .message = message};
	uint64_t bytes = datagram_memory(message);
	coming += bytes;
	net_interface_count_received(!inet_address_is_v4(&message->from), false, message->bytes);
	message->ttl = TTL_FROM_OUTSIDE;
	if (coming <= COMING_MAX && net_delay_pass(&item))
		return;
	coming -= bytes;
	socket_message_free(message);
}

/* A copy of a whole message, with its datagrams. */
static struct message *copy_message(const struct message *message)
{
	struct message *copy = socket_message_copy(message, 0, message->bytes);
	if (copy)
		copy->segment = message->segment;
	return copy;
}

/* Sends a copy to each socket that gets what comes to a group. Without one, nothing is reported. */
static int send_to_group(struct socket *socket, const struct message *message)
{
	const struct inet_address *to = &message->to, *from = &message->from;
	bool is_v4 = inet_address_is_v4(to);
	int interface = inet_group_interface(socket, to);
	const struct inet_port *port = inet_table_find(LINUX_SOCK_DGRAM, to->port);
	bool is_loop = inet_option_is_on(socket, is_v4 ? INET_MULTICAST_LOOP : INET_V6_MULTICAST_LOOP) ||
	               inet_address_interface(from) == LO;
	if (!port || !is_loop || !inet_group_exists(to, interface))
		return 0;
	inet_table_each(receiver, &port->sockets)
	{
		if (!inet_port_receives(receiver, to, from) || !inet_group_has(receiver, to, interface, from))
			continue;
		struct message *copy = copy_message(message);
		if (!copy)
			return -ENOBUFS;
		pass_datagram(socket, receiver, copy, false);
	}
	return 0;
}

/* Whether a datagram is lost on its way: --net-fault. */
static bool is_lost(const struct inet_address *to)
{
	bool lost = net_fault_happens(BOOT_FAULT_LOSS);
	return (to->port == DNS_PORT && net_fault_happens(BOOT_FAULT_DNS_FAIL)) || lost;
}

static void send_to_one(struct socket *socket, struct message *message)
{
	bool is_local = inet_address_is_local(&message->to);
	if (!is_local)
		outside_datagram_begin(socket);
	net_interface_count_sent(!is_local, !inet_address_is_v4(&message->to), false, message->bytes);
	pass_datagram(socket, NULL, message, !is_local);
}

/* Sends a complete datagram, or several in one message, which it takes over. */
static int push_datagram(struct socket *socket, struct message *message)
{
	int error = inet_segment_check(message);
	if (error || is_lost(&message->to)) {
		kfree(message);
		return error;
	}
	if (inet_address_is_multicast(&message->to)) {
		error = send_to_group(socket, message);
		kfree(message);
		return error;
	}
	struct message *again = net_fault_happens(BOOT_FAULT_DUP) ? copy_message(message) : NULL;
	send_to_one(socket, message);
	if (again)
		send_to_one(socket, again);
	return 0;
}

/* Begins a datagram with the first of its data. */
static int begin_datagram(struct socket *socket, const struct socket_send *send, size_t bytes, struct message **out)
{
	struct inet_address to;
	int error = check_datagram_send(socket, send, bytes, &to);
	if (!error)
		error = socket_message_make(send, 0, bytes, out);
	if (error)
		return error;
	(*out)->to = to;
	(*out)->from = source_of(socket, send, &to);
	inet_control_mark(socket, send, *out);
	error = inet_segment_choose(socket, send, *out);
	if (error)
		kfree(*out);
	return error;
}

/* Adds data to the datagram that is being put together. As on Linux, its destination stays, and an error drops it. */
static int append_datagram(struct socket *socket, const struct socket_send *send, size_t bytes, struct message **out)
{
	struct message *cork = socket->inet.cork, *added;
	size_t all = cork->bytes + bytes;
	int error = all > (inet_address_is_v4(&cork->to) ? V4_MAX : V6_MAX) ? -EMSGSIZE : 0;
	if (!error)
		error = socket_message_make(send, 0, bytes, &added);
	struct message *larger = error ? NULL : krealloc(cork, sizeof(*cork) + all);
	if (larger) {
		memcpy(larger->data + larger->bytes, added->data, bytes);
		larger->bytes = all;
		socket->inet.cork = *out = larger;
	}
	if (!error)
		kfree(added);
	if (!larger)
		drop_cork(socket);
	return larger ? 0 : error ? error : -ENOBUFS;
}

static long datagram_send(struct socket *socket, struct socket_send *send)
{
	size_t bytes = socket_message_total(send->iov, send->count);
	bool is_zerocopy = send->flags & LINUX_MSG_ZEROCOPY && socket->flags >> LINUX_SO_ZEROCOPY & 1;
	bool has_more = send->flags & LINUX_MSG_MORE || inet_option_is_on(socket, INET_UDP_CORK);
	struct message *message;
	int error = 0;
	if (net_delay_is_on())
		error = socket_message_wait_for_memory(socket, send->wait, socket_deadline(socket->send_timeout_ns));
	if (!error && bytes > LENGTH_MAX)
		error = -EMSGSIZE;
	if (!error && send->flags & LINUX_MSG_OOB && socket->domain == LINUX_AF_INET)
		error = -EOPNOTSUPP;
	if (!error)
		error = socket->inet.cork ? append_datagram(socket, send, bytes, &message)
		                          : begin_datagram(socket, send, bytes, &message);
	if (error)
		return error;
	if (send->flags & LINUX_MSG_PROBE) { /* asks for the way only */
		socket->inet.cork = NULL;
		kfree(message);
		return (long)bytes;
	}
	socket->inet.cork = has_more ? message : NULL;
	if (!has_more)
		error = push_datagram(socket, message);
	if (!error && is_zerocopy)
		socket_error_copied(socket);
	return error ? error : (long)bytes;
}

/* UDP_CORK set to 0 sends what was put together. */
static int set_datagram_option(struct socket *socket, int level, int option, const void *value, int bytes)
{
	int error = inet_option_set(socket, level, option, value, bytes);
	struct message *cork = socket->inet.cork;
	bool is_push =
		level == LINUX_IPPROTO_UDP && option == LINUX_UDP_CORK && !inet_option_is_on(socket, INET_UDP_CORK);
	if (error || !is_push || !cork)
		return error;
	socket->inet.cork = NULL;
	return push_datagram(socket, cork);
}

static int datagram_bind(struct socket *socket, const struct socket_address *name)
{
	int error = inet_port_bind(socket, name);
	if (!error)
		outside_datagram_open(socket);
	return error;
}

const struct socket_family inet_datagram_family = {
	.message_ns = DELIVERY_UDP_NS,
	.kib_ns = DELIVERY_UDP_KIB_NS,
	.bind = datagram_bind,
	.listen = no_listen,
	.connect = datagram_connect,
	.name = inet_name,
	.peer_name = datagram_peer_name,
	.shutdown = datagram_shutdown,
	.close = datagram_close,
	.poll = datagram_poll,
	.is_writable = is_datagram_writable,
	.send = datagram_send,
	.check_receive = check_datagram_receive,
	.describe = describe_datagram,
	.take_control = inet_control_take,
	.put_control = inet_control_put,
	.taken = datagram_taken,
	.unsent = inet_unsent,
	.set_option = set_datagram_option,
	.get_option = inet_option_get,
};
