/* SPDX-License-Identifier: MIT */
/* Errors are queued in the order in which they came. The socket's pending error is that of the first. */
#include "kernel/net/socket_error.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"

#define OVERHEAD 768   /* what Linux charges for a small one */
#define V4_QUOTED 520  /* data in a message of ICMP: 576 bytes without four headers (RFC 1812, 4.3.2.3) */
#define V6_QUOTED 1184 /* 1280 bytes without four headers (RFC 4443, 2.4) */
#define ORIGIN_ICMP 2
#define ORIGIN_ICMP6 3
#define ORIGIN_ZEROCOPY 5
#define CODE_COPIED 1

struct socket_error {
	struct list queue;
	struct socket_extended_error about;
	struct inet_address to;
	size_t bytes;
	uint8_t data[];
};

static struct socket_error *first_error(const struct socket *socket)
{
	return list_is_empty(&socket->errors) ? NULL : list_entry(socket->errors.next, struct socket_error, queue);
}

/* Makes an error, if the receive buffer has room, and queues it. NULL: it is dropped. */
static struct socket_error *add_error(struct socket *socket, size_t bytes)
{
	if (socket->error_bytes + bytes + OVERHEAD > socket->receive_bytes)
		return NULL;
	struct socket_error *error = kmalloc(sizeof(*error) + bytes);
	if (!error)
		return NULL;
	memset(error, 0, sizeof(*error));
	error->bytes = bytes;
	socket->error_bytes += bytes + OVERHEAD;
	list_add_last(&socket->errors, &error->queue);
	return error;
}

static void drop_error(struct socket *socket, struct socket_error *error)
{
	socket->error_bytes -= error->bytes + OVERHEAD;
	list_remove(&error->queue);
	kfree(error);
}

void socket_error_unreachable(struct socket *socket, const struct message *datagram)
{
	bool is_v4 = inet_address_is_v4(&datagram->to);
	size_t most = is_v4 ? V4_QUOTED : V6_QUOTED;
	struct socket_error *error = add_error(socket, datagram->bytes < most ? datagram->bytes : most);
	if (!error)
		return;
	error->about = (struct socket_extended_error){.number = ECONNREFUSED,
	                                              .origin = is_v4 ? ORIGIN_ICMP : ORIGIN_ICMP6,
	                                              .type = is_v4 ? 3 : 1,  /* destination unreachable */
	                                              .code = is_v4 ? 3 : 4}; /* port unreachable */
	error->to = datagram->to;
	memcpy(error->data, datagram->data, error->bytes);
}

void socket_error_copied(struct socket *socket)
{
	uint32_t number = socket->zerocopies++;
	struct list *last = socket->errors.previous;
	struct socket_error *error = last == &socket->errors ? NULL : list_entry(last, struct socket_error, queue);
	if (error && error->about.origin == ORIGIN_ZEROCOPY && error->about.data + 1 == number) {
		error->about.data = number; /* as on Linux, one entry for several in a row */
		return;
	}
	error = add_error(socket, 0);
	if (error)
		error->about = (struct socket_extended_error){
			.origin = ORIGIN_ZEROCOPY, .code = CODE_COPIED, .info = number, .data = number};
	socket_tell(socket, LINUX_POLLERR);
}

long socket_error_receive(struct socket *socket, struct socket_receive *receive)
{
	struct socket_error *error = first_error(socket);
	if (!error)
		return -EAGAIN;
	long result = socket_message_copy_out(receive, error->data, error->bytes);
	if (result >= 0) {
		receive->told |= LINUX_MSG_ERRQUEUE;
		receive->has_error = true;
		receive->error = error->about;
		receive->to = error->to;
		if (error->about.origin != ORIGIN_ZEROCOPY)
			inet_address_write(&error->to, socket->domain, &receive->from);
	}
	bool was_icmp = error->about.origin != ORIGIN_ZEROCOPY;
	drop_error(socket, error);
	error = first_error(socket);
	if (was_icmp)
		socket->error = error ? (int)error->about.number : 0;
	return result;
}

int socket_error_put(const struct socket *socket, const struct socket_receive *receive, struct socket_control *control)
{
	bool is_v4 = socket->domain == LINUX_AF_INET;
	struct {
		struct socket_extended_error error;
		struct linux_sockaddr_in6 offender;
	} value = {.error = receive->error};
	size_t bytes = sizeof(value.error) + (is_v4 ? sizeof(struct linux_sockaddr_in) : sizeof(value.offender));
	if (receive->error.origin != ORIGIN_ZEROCOPY) { /* it was the destination that said so */
		struct inet_address by = receive->to;
		struct socket_address name;
		by.port = 0;
		inet_address_write(&by, socket->domain, &name);
		memcpy(&value.offender, &name.in6, bytes - sizeof(value.error));
	}
	return socket_control_put(control, is_v4 ? LINUX_IPPROTO_IP : LINUX_IPPROTO_IPV6,
	                          is_v4 ? LINUX_IP_RECVERR : LINUX_IPV6_RECVERR, &value, bytes);
}

void socket_error_free(struct socket *socket)
{
	struct socket_error *error;
	while ((error = first_error(socket)))
		drop_error(socket, error);
}
