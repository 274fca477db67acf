/* SPDX-License-Identifier: MIT */
/* A request is answered before send returns: the answer is a message in the sender's own queue. */
#include "kernel/net/netlink.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/net/netlink_route.h"
#include "kernel/net/socket_message.h"
#include "kernel/sys/sys.h"

#define ANSWER_BYTES 2048 /* more than any answer has */
#define REQUESTS_MAX 16   /* unread answers; Linux counts their memory */
#define SMALLEST_FAMILY 1 /* bytes of a request after its head */
#define NAME_BYTES 12     /* struct sockaddr_nl */

/* struct sockaddr_nl: the family, two bytes of nothing, the port, groups. */
static void write_name(uint32_t port, struct socket_address *name)
{
	memset(name, 0, sizeof(*name));
	name->bytes = NAME_BYTES;
	name->family = LINUX_AF_NETLINK;
	memcpy((uint8_t *)&name->un + 4, &port, sizeof(port));
}

static bool has_port(const struct socket *socket, uint32_t port)
{
	return socket->domain == LINUX_AF_NETLINK && !socket->dead && socket->netlink_port == port;
}

static bool is_port_used(uint32_t port)
{
	for (struct socket *other = socket_next(NULL); other; other = socket_next(other))
		if (has_port(other, port))
			return true;
	return false;
}

/* The number of the process, if it is free; Linux takes a random negative one otherwise. */
static void choose_port(struct socket *socket)
{
	uint32_t port = (uint32_t)sys_getpid();
	if (socket->netlink_port)
		return;
	if (is_port_used(port))
		for (port = UINT32_MAX - 4096; is_port_used(port); port--)
			;
	socket->netlink_port = port;
}

static int netlink_bind(struct socket *socket, const struct socket_address *name)
{
	uint32_t port;
	if (name->bytes < NAME_BYTES || name->family != LINUX_AF_NETLINK)
		return -EINVAL;
	memcpy(&port, (const uint8_t *)&name->un + 4, sizeof(port));
	if (socket->netlink_port && port != socket->netlink_port)
		return port ? -EINVAL : 0;
	if (port && !socket->netlink_port && is_port_used(port))
		return -EADDRINUSE;
	if (port)
		socket->netlink_port = port;
	choose_port(socket);
	return 0;
}

static int netlink_connect(struct socket *socket, const struct socket_address *name, bool)
{
	if (name->bytes < sizeof(name->family))
		return -EINVAL;
	choose_port(socket);
	socket->state = name->family == LINUX_AF_UNSPEC ? SOCKET_UNCONNECTED : SOCKET_CONNECTED;
	return 0;
}

static int refuse_listen(struct socket *)
{
	return -EOPNOTSUPP;
}

static int refuse_shutdown(struct socket *, int)
{
	return -EOPNOTSUPP;
}

static void netlink_name(const struct socket *socket, struct socket_address *name)
{
	write_name(socket->netlink_port, name);
}

static int netlink_peer_name(const struct socket *, bool, struct socket_address *name)
{
	write_name(0, name);
	return 0;
}

static void netlink_close(struct socket *, bool)
{
}

static unsigned int netlink_poll(const struct socket *socket)
{
	unsigned int events = LINUX_POLLOUT | LINUX_POLLWRNORM | (socket->error ? LINUX_POLLERR : 0);
	return list_is_empty(&socket->messages) ? events : events | SOCKET_READABLE;
}

static bool is_netlink_writable(const struct socket *)
{
	return true;
}

static int check_netlink_receive(struct socket *)
{
	return 0;
}

static void describe_netlink(const struct message *, struct socket_receive *receive)
{
	write_name(0, &receive->from);
}

static void netlink_taken(struct message *, bool)
{
}

static int netlink_unsent(const struct socket *)
{
	return 0;
}

/* Groups, and what a socket is told besides: nothing ever happens to the interfaces. */
static int set_netlink_option(struct socket *, int level, int, const void *, int)
{
	return level == LINUX_SOL_NETLINK ? 0 : -ENOPROTOOPT;
}

static int get_netlink_option(struct socket *, int, int, void *, int *)
{
	return -ENOPROTOOPT;
}

/* Answers one request: a head and the family, of which a program may leave out the rest. */
static int answer_request(struct socket *socket, const struct message *request)
{
	struct netlink_header header;
	uint8_t family = 0;
	if (request->bytes < sizeof(header))
		return 0;
	memcpy(&header, request->data, sizeof(header));
	if (header.length < sizeof(header) || header.length > request->bytes)
		return 0; /* as on Linux, ignored */
	if (header.length >= sizeof(header) + SMALLEST_FAMILY)
		family = request->data[sizeof(header)];
	struct message *message = kmalloc(sizeof(*message) + ANSWER_BYTES);
	if (!message)
		return -ENOBUFS;
	memset(message, 0, sizeof(*message));
	struct netlink_answer to = {.at = message->data, .room = ANSWER_BYTES};
	netlink_route_answer(&header, family, socket->netlink_port, &to);
	message->bytes = to.bytes;
	message->sender = socket_get(socket);
	socket_message_deliver(socket, message, false);
	return 0;
}

static long netlink_send(struct socket *socket, struct socket_send *send)
{
	size_t bytes = socket_message_total(send->iov, send->count);
	struct message *request;
	if (send->flags & LINUX_MSG_OOB)
		return -EOPNOTSUPP;
	if (bytes > socket->send_bytes - 32)
		return -EMSGSIZE;
	if (socket->queued >= REQUESTS_MAX)
		return -ENOBUFS;
	choose_port(socket);
	int error = socket_message_make(send, 0, bytes, &request);
	if (error)
		return error;
	error = answer_request(socket, request);
	kfree(request);
	return error ? error : (long)bytes;
}

static const struct socket_family netlink_family = {
	.message_ns = DELIVERY_NETLINK_NS,
	.kib_ns = DELIVERY_NETLINK_KIB_NS,
	.bind = netlink_bind,
	.listen = refuse_listen,
	.connect = netlink_connect,
	.name = netlink_name,
	.peer_name = netlink_peer_name,
	.shutdown = refuse_shutdown,
	.close = netlink_close,
	.poll = netlink_poll,
	.is_writable = is_netlink_writable,
	.send = netlink_send,
	.check_receive = check_netlink_receive,
	.describe = describe_netlink,
	.taken = netlink_taken,
	.unsent = netlink_unsent,
	.set_option = set_netlink_option,
	.get_option = get_netlink_option,
};

int netlink_create(int type, int protocol, struct socket **out)
{
	if (type != LINUX_SOCK_RAW && type != LINUX_SOCK_DGRAM)
		return -ESOCKTNOSUPPORT;
	if (protocol) /* all but NETLINK_ROUTE */
		return -EPROTONOSUPPORT;
	*out = socket_create(&netlink_family, LINUX_AF_NETLINK, type);
	return *out ? 0 : -ENOMEM;
}
