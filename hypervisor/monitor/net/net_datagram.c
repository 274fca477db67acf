/* SPDX-License-Identifier: MIT */
/* Datagrams of UDP. Each port of the guest that sends outside has a socket of the host, with a port of the host. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "net/net_state.h"

#define PORTS_MAX 4096
#define AT_ONCE 1024 /* datagrams, and errors, of one port in a turn, so that a flood of them stops nothing else */

static struct net_port **port_list(struct net *net, uint16_t port)
{
	return &net->ports[port % NET_PORT_LISTS];
}

/* The socket of a port of the guest for addresses of a family of the host. */
static struct net_port *find_port(struct net *net, const struct network_address *local, int family)
{
	struct net_port *at = *port_list(net, local->port);
	while (at && (at->family != family || at->local.port != local->port ||
	              memcmp(at->local.bytes, local->bytes, sizeof(local->bytes))))
		at = at->next;
	return at;
}

static struct net_port *add_port(struct net *net, const struct network_address *local, int family, int fd)
{
	struct net_port *at = net->port_count < PORTS_MAX ? calloc(1, sizeof(*at)) : NULL;
	if (!at)
		return NULL;
	net->port_count++;
	const int on = 1; /* as on a connected socket, errors of datagrams are reported (ip(7)) */
	setsockopt(fd, family == AF_INET ? IPPROTO_IP : IPPROTO_IPV6, family == AF_INET ? IP_RECVERR : IPV6_RECVERR,
	           &on, sizeof(on));
	at->source = (struct net_source){.kind = NET_PORT, .fd = fd};
	at->family = family;
	at->local = *local;
	at->next = *port_list(net, local->port);
	*port_list(net, local->port) = at;
	net_watch(net, &at->source, EPOLLIN);
	return at;
}

static struct net_port *open_port(struct net *net, const struct network_address *local, int family)
{
	int fd = net_has_descriptor(net) ? socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0) : -1;
	struct net_port *at = fd >= 0 ? add_port(net, local, family, fd) : NULL;
	if (!at && fd >= 0)
		close(fd);
	return at;
}

static void drop_port(struct net *net, struct net_port **at)
{
	struct net_port *port = *at;
	*at = port->next;
	net_watch(net, &port->source, 0);
	if (!port->is_published)
		close(port->source.fd);
	free(port->peers);
	free(port);
	net->port_count--;
	if (net->is_short_of_descriptors)
		net_flow_begin(net);
}

static void forget_port(struct net *net, uint16_t port)
{
	struct net_port **at = port_list(net, port);
	while (*at) {
		if ((*at)->local.port == port && !(*at)->is_published)
			drop_port(net, at);
		else
			at = &(*at)->next;
	}
}

/* The place of a peer in the table of a port: a peer that another one has replaced must send again. */
static struct network_address *port_place(const struct net_port *port, const struct network_address *peer)
{
	uint32_t hash = peer->port;
	for (unsigned i = 0; i < sizeof(peer->bytes); i++)
		hash = hash * 31 + peer->bytes[i];
	return &port->peers[hash % NET_PEERS];
}

/* Whether an address has sent to a published port: without a route, the guest may only answer. */
static bool is_peer(const struct net_port *port, const struct network_address *address)
{
	const struct network_address *peer = port_place(port, address);
	return peer->port == address->port && !memcmp(peer->bytes, address->bytes, sizeof(peer->bytes));
}

/* A datagram that the host does not take is lost, as datagrams are. */
static void send_datagram(struct net *net, const struct network_record *request, const uint8_t *payload)
{
	union net_sockaddr to;
	socklen_t bytes = net_address_to_host(&request->remote, &to);
	int family = to.any.sa_family;
	struct network_address local = {.port = request->local.port};
	net_address_guest(network_is_v4(request->local.bytes) ? AF_INET : AF_INET6, local.bytes);
	struct net_port *port = find_port(net, &local, family);
	bool is_answer = port && port->is_published && is_peer(port, &request->remote);
	if (!is_answer && !net_permits(net, &request->remote, IPPROTO_UDP))
		return;
	if (!port)
		port = open_port(net, &local, family);
	if (!port)
		return;
	port->asks_resolver |= net_address_is_resolver(&request->remote);
	while (sendto(port->source.fd, payload, request->bytes, MSG_DONTWAIT | MSG_NOSIGNAL, &to.any, bytes) < 0 &&
	       errno == EINTR)
		;
}

void net_datagram_request(struct net *net, const struct network_record *request, const uint8_t *payload)
{
	if (request->op == NETWORK_DATAGRAM)
		send_datagram(net, request, payload);
	else
		forget_port(net, request->local.port);
}

/* Tells the guest of datagrams that were refused. Other errors of them do not reach a program, either. */
static void take_errors(struct net *net, struct net_port *port)
{
	uint8_t data[1];
	size_t room;
	for (unsigned i = 0; i < AT_ONCE; i++) {
		union net_sockaddr to;
		int error = 0;
		socklen_t error_bytes = sizeof(error), bytes = sizeof(to);
		getsockopt(port->source.fd, SOL_SOCKET, SO_ERROR, &error, &error_bytes);
		if (recvfrom(port->source.fd, data, sizeof(data), MSG_ERRQUEUE | MSG_DONTWAIT, &to.any, &bytes) < 0)
			return;
		struct network_record event = {.op = NETWORK_DATAGRAM_REFUSED, .local = port->local};
		net_address_to_guest(&to.any, &event.remote);
		if (port->asks_resolver && net_address_comes_from_resolver(&to.any))
			net_address_resolver(port->local.bytes, &event.remote);
		if (error == ECONNREFUSED && net_ring_reserve(net, 0, &room))
			net_ring_put(net, &event);
	}
}

/* Whether the guest may get a datagram. Everybody may send to a published port. To another port, only those may send to
 * whom the guest may send. */
static bool is_welcome(const struct net *net, const struct net_port *port, const struct network_address *from)
{
	return port->is_published ||
	       (net->config->has_route && net_rules_permit(&net->config->rules, from, IPPROTO_UDP));
}

void net_datagram_event(struct net *net, struct net_port *port)
{
	take_errors(net, port);
	for (unsigned i = 0; i < AT_ONCE; i++) {
		union net_sockaddr from;
		socklen_t bytes = sizeof(from);
		size_t room;
		uint8_t *to = net_ring_reserve(net, NETWORK_PAYLOAD_MAX, &room);
		if (!to) {
			net_watch(net, &port->source, 0);
			return;
		}
		ssize_t got = recvfrom(port->source.fd, to, room, MSG_DONTWAIT, &from.any, &bytes);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return;
		struct network_record event = {
			.op = NETWORK_DATAGRAM_CAME, .bytes = (uint32_t)got, .local = port->local};
		net_address_to_guest(&from.any, &event.remote);
		if (port->asks_resolver && net_address_comes_from_resolver(&from.any))
			net_address_resolver(port->local.bytes, &event.remote);
		if (!is_welcome(net, port, &event.remote))
			continue;
		if (port->is_published)
			*port_place(port, &event.remote) = event.remote;
		net_ring_commit(net, &event);
	}
}

int net_datagram_begin(struct net *net)
{
	for (unsigned i = 0; i < net->config->published_count; i++) {
		const struct net_publish *published = &net->config->published[i];
		if (published->protocol != IPPROTO_UDP)
			continue;
		int family = published->address.any.sa_family;
		struct network_address local = {.port = published->port};
		net_address_guest(family, local.bytes);
		struct net_port *port = add_port(net, &local, family, published->fd);
		if (!port)
			return -ENOMEM;
		port->is_published = true;
		port->peers = calloc(NET_PEERS, sizeof(*port->peers));
		if (!port->peers)
			return -ENOMEM;
	}
	return 0;
}

void net_datagram_close_all(struct net *net)
{
	for (unsigned i = 0; i < NET_PORT_LISTS; i++)
		while (net->ports[i])
			drop_port(net, &net->ports[i]);
}
