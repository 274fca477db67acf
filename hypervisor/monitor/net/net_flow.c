/* SPDX-License-Identifier: MIT */
/* Connections of TCP. */
#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "net/net_state.h"

/* What no kernel sends beyond: it waits when a socket's buffer is full, and sooner when all of them hold much
 * (inet_memory.h). Only a hostile guest meets these limits. */
#define UNSENT_MAX (16UL << 20) /* bytes of a flow */
#define UNSENT_ALL (1UL << 30)  /* bytes of all flows */
#define UNSENT_KEPT 65536UL     /* bytes: a larger buffer is given back when three quarters of it are free */
#define FEW_FLOWS 16 /* with no more flows than this, each keeps its larger buffer: a new one costs page faults */

static struct net_flow **flow_list(struct net *net, uint32_t number)
{
	return &net->flows[number % NET_FLOW_LISTS];
}

static struct net_flow *find_flow(struct net *net, uint32_t number)
{
	struct net_flow *flow = *flow_list(net, number);
	while (flow && flow->number != number)
		flow = flow->next;
	return flow;
}

bool net_flow_is_open(struct net *net, uint32_t number)
{
	return find_flow(net, number);
}

static struct net_flow *add_flow(struct net *net, uint32_t number, int fd)
{
	struct net_flow *flow = net->flow_count < net->limits.flows_max ? calloc(1, sizeof(*flow)) : NULL;
	if (!flow)
		return NULL;
	const int on = 1;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)); /* the guest decides when it sends */
	flow->source = (struct net_source){.kind = NET_FLOW, .fd = fd};
	flow->number = number;
	flow->next = *flow_list(net, number);
	*flow_list(net, number) = flow;
	net->flow_count++;
	return flow;
}

/* Closes a flow; with `resets`, the peer gets a reset. */
static void drop_flow(struct net *net, struct net_flow *flow, bool resets)
{
	const struct linger at_once = {.l_onoff = 1};
	struct net_flow **at = flow_list(net, flow->number);
	while (*at != flow)
		at = &(*at)->next;
	*at = flow->next;
	net->flow_count--;
	if (resets)
		setsockopt(flow->source.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	net_watch(net, &flow->source, 0);
	close(flow->source.fd);
	net->limits.unsent -= flow->unsent.end - flow->unsent.start;
	bool resumes = net_limits_take(&net->limits, flow->untaken);
	free(flow->unsent.data);
	free(flow);
	if (net->is_short_of_descriptors)
		net_flow_begin(net);
	if (resumes)
		net_flow_resume(net);
}

static void tell(struct net *net, const struct net_flow *flow, enum network_op op, uint64_t value)
{
	if (flow->is_closing)
		return;
	const struct network_record event = {.op = op, .flow = flow->number, .value = (int32_t)value};
	net_ring_put(net, &event);
}

/* The host has taken bytes. Of the first ones of an adopted flow, the guest was told before. */
static void tell_sent(struct net *net, struct net_flow *flow, uint64_t bytes)
{
	uint64_t told = bytes < flow->told ? bytes : flow->told;
	flow->told -= told;
	if (bytes > told)
		tell(net, flow, NETWORK_SENT, bytes - told);
}

/* Registers for the events that matter to a flow now. A flow for which none do is not registered at all, because
 * epoll(7) always reports a connection that is broken. */
static void watch_flow(struct net *net, struct net_flow *flow)
{
	bool is_open = !flow->is_connecting && !flow->has_ended && !flow->is_closing;
	uint64_t window = net_limits_window(&net->limits);
	bool receives = is_open && !net->is_full && flow->untaken < window;
	net->limits.holds_back |= is_open && flow->untaken >= window && window < NETWORK_WINDOW;
	bool sends = flow->is_connecting || flow->unsent.start < flow->unsent.end;
	net_watch(net, &flow->source, (receives ? EPOLLIN : 0U) | (sends ? EPOLLOUT : 0U));
}

/* The host says that the connection is broken. */
static void fail_flow(struct net *net, struct net_flow *flow, int error)
{
	tell(net, flow, NETWORK_RESET, (uint64_t)error);
	drop_flow(net, flow, true);
}

static void receive(struct net *net, struct net_flow *flow)
{
	for (;;) {
		uint64_t window = net_limits_window(&net->limits);
		size_t room;
		uint8_t *to = flow->untaken < window ? net_ring_reserve(net, 4096, &room) : NULL;
		if (!to)
			break;
		room = room < window - flow->untaken ? room : window - flow->untaken;
		room = room < NETWORK_STREAM_MAX ? room : NETWORK_STREAM_MAX;
		ssize_t got = recv(flow->source.fd, to, room, MSG_DONTWAIT);
		if (got > 0) {
			const struct network_record event = {
				.op = NETWORK_DATA, .flow = flow->number, .bytes = (uint32_t)got};
			net_ring_commit(net, &event);
			flow->untaken += (uint64_t)got;
			net_limits_give(&net->limits, (uint64_t)got);
			if ((size_t)got == room)
				continue;
		} else if (!got && flow->is_broken) {
			fail_flow(net, flow, ECONNRESET);
			return;
		} else if (!got) {
			flow->has_ended = true;
			tell(net, flow, NETWORK_ENDED, 0);
		} else if (errno == EINTR) {
			continue;
		} else if (errno != EAGAIN) {
			fail_flow(net, flow, errno);
			return;
		}
		break;
	}
	watch_flow(net, flow);
}

/* Gives bytes to the host. Returns how many it has taken, or a negative errno. */
static ssize_t give_flow(const struct net_flow *flow, const uint8_t *data, size_t bytes)
{
	ssize_t done;
	do {
		done = send(flow->source.fd, data, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
	} while (done < 0 && errno == EINTR);
	return done >= 0 ? done : errno == EAGAIN ? 0 : -errno;
}

/* Drops the first bytes of what waits, and gives back memory that is not needed any more. */
static void pass_unsent(struct net *net, struct net_bytes *unsent, size_t bytes)
{
	unsent->start += bytes;
	net->limits.unsent -= bytes;
	size_t left = unsent->end - unsent->start;
	if (unsent->room <= UNSENT_KEPT || left > unsent->room / 4 || net->flow_count <= FEW_FLOWS) {
		if (!left)
			unsent->start = unsent->end = 0;
		return;
	}
	uint8_t *data = left ? malloc(left) : NULL;
	if (left && !data)
		return;
	if (left)
		memcpy(data, unsent->data + unsent->start, left);
	free(unsent->data);
	*unsent = (struct net_bytes){.data = data, .end = left, .room = left};
}

/* The host takes no more. What the peer has sent before can still be received. */
static void stop_sending(struct net *net, struct net_flow *flow, int error)
{
	if (flow->has_ended || flow->is_closing) {
		fail_flow(net, flow, error);
		return;
	}
	flow->is_broken = true;
	pass_unsent(net, &flow->unsent, flow->unsent.end - flow->unsent.start);
	receive(net, flow);
}

/* Does what the guest has asked for and what waited until all is sent. Returns whether the flow still exists. */
static bool settle_flow(struct net *net, struct net_flow *flow)
{
	bool is_sent = flow->unsent.start == flow->unsent.end && !flow->is_connecting;
	if (is_sent && flow->is_closing) {
		drop_flow(net, flow, false);
		return false;
	}
	if (is_sent && flow->is_finishing) {
		flow->is_finishing = false;
		shutdown(flow->source.fd, SHUT_WR);
	}
	watch_flow(net, flow);
	return true;
}

static void send_unsent(struct net *net, struct net_flow *flow)
{
	struct net_bytes *unsent = &flow->unsent;
	ssize_t done = unsent->start < unsent->end
	                       ? give_flow(flow, unsent->data + unsent->start, unsent->end - unsent->start)
	                       : 0;
	if (done < 0) {
		stop_sending(net, flow, (int)-done);
		return;
	}
	pass_unsent(net, unsent, (size_t)done);
	if (done)
		tell_sent(net, flow, (uint64_t)done);
	settle_flow(net, flow);
}

/* Keeps bytes that the host does not take now. */
static int keep_unsent(struct net *net, struct net_bytes *unsent, const uint8_t *data, size_t bytes)
{
	if (unsent->end - unsent->start + bytes > UNSENT_MAX || net->limits.unsent > UNSENT_ALL)
		return net_fail(net, "the guest has sent more than its peers take: %lu MiB wait on the host",
		                net->limits.unsent >> 20);
	if (unsent->end + bytes > unsent->room && unsent->start) {
		memmove(unsent->data, unsent->data + unsent->start, unsent->end - unsent->start);
		unsent->end -= unsent->start;
		unsent->start = 0;
	}
	if (unsent->end + bytes > unsent->room) {
		size_t room = 2 * (unsent->end + bytes);
		uint8_t *grown = realloc(unsent->data, room);
		if (!grown)
			return net_fail(net, "out of memory for what the guest sends");
		unsent->data = grown;
		unsent->room = room;
	}
	memcpy(unsent->data + unsent->end, data, bytes);
	unsent->end += bytes;
	net->limits.unsent += bytes;
	return 0;
}

static void send_flow_data(struct net *net, struct net_flow *flow, const uint8_t *data, size_t bytes)
{
	if (flow->is_broken)
		return;
	bool waits = flow->is_connecting || flow->unsent.start < flow->unsent.end;
	ssize_t done = waits ? 0 : give_flow(flow, data, bytes);
	if (done < 0) {
		stop_sending(net, flow, (int)-done);
		return;
	}
	if (done)
		tell_sent(net, flow, (uint64_t)done);
	if ((size_t)done < bytes && !keep_unsent(net, &flow->unsent, data + done, bytes - (size_t)done))
		watch_flow(net, flow);
}

static void refuse_connection(struct net *net, uint32_t number, int error)
{
	const struct network_record event = {.op = NETWORK_CONNECTED, .flow = number, .value = error};
	net_ring_put(net, &event);
}

/* Begins to connect. Returns NULL, and stores an errno, if that is not possible. */
static struct net_flow *open_flow(struct net *net, const struct network_record *request, int *error)
{
	union net_sockaddr to;
	*error = ENETUNREACH;
	if (!net_permits(net, &request->remote, IPPROTO_TCP))
		return NULL;
	*error = EADDRNOTAVAIL; /* as Linux says when all ports are in use */
	if (!net_has_descriptor(net))
		return NULL;
	socklen_t bytes = net_address_to_host(&request->remote, &to);
	int fd = socket(to.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	*error = fd < 0 ? errno : connect(fd, &to.any, bytes) ? errno : 0;
	bool is_open = fd >= 0 && (!*error || *error == EINPROGRESS);
	struct net_flow *flow = is_open ? add_flow(net, request->flow, fd) : NULL;
	if (!flow && fd >= 0)
		close(fd);
	if (!flow && is_open)
		*error = ENOMEM;
	if (flow)
		flow->is_connecting = *error == EINPROGRESS;
	return flow;
}

static void connect_flow(struct net *net, const struct network_record *request)
{
	int error;
	if (request->flow >= NETWORK_INCOMING || find_flow(net, request->flow)) {
		net_fail(net, "the guest opened the connection %u twice", request->flow);
		return;
	}
	struct net_flow *flow = open_flow(net, request, &error);
	if (!flow) {
		refuse_connection(net, request->flow, error);
		return;
	}
	if (!flow->is_connecting)
		tell(net, flow, NETWORK_CONNECTED, 0);
	watch_flow(net, flow);
}

void net_flow_adopt(struct net *net, const struct network_record *request, uint64_t untaken, const uint8_t *data,
                    size_t bytes)
{
	int error;
	struct net_flow *flow = open_flow(net, request, &error);
	if (!flow) {
		const struct network_record event = {.op = NETWORK_RESET, .flow = request->flow, .value = error};
		net_ring_put(net, &event);
		return;
	}
	flow->was_told = true;
	flow->told = bytes;
	flow->untaken = untaken;
	net_limits_give(&net->limits, untaken);
	send_flow_data(net, flow, data, bytes);
	if (find_flow(net, request->flow) == flow)
		watch_flow(net, flow);
}

/* A connection that was begun is decided. */
static void take_connected(struct net *net, struct net_flow *flow)
{
	int error = 0;
	socklen_t bytes = sizeof(error);
	getsockopt(flow->source.fd, SOL_SOCKET, SO_ERROR, &error, &bytes);
	flow->is_connecting = false;
	if (error || !flow->was_told)
		tell(net, flow, flow->was_told ? NETWORK_RESET : NETWORK_CONNECTED, (uint64_t)error);
	if (error)
		drop_flow(net, flow, true);
	else
		send_unsent(net, flow);
}

void net_flow_event(struct net *net, struct net_flow *flow, uint32_t events)
{
	if (flow->is_connecting) {
		take_connected(net, flow);
		return;
	}
	uint32_t number = flow->number;
	if (events & EPOLLOUT)
		send_unsent(net, flow);
	if ((events & ~(uint32_t)EPOLLOUT) && find_flow(net, number) == flow) {
		if (flow->is_closing || flow->has_ended) /* broken, and nothing is left to receive */
			fail_flow(net, flow, ECONNRESET);
		else
			receive(net, flow);
	}
}

/* --- published ports --- */

static struct net_listener *listener_of(struct net *net, uint16_t port)
{
	for (unsigned i = 0; i < net->listener_count; i++)
		if (net->listeners[i].port == port)
			return &net->listeners[i];
	return NULL;
}

void net_flow_begin(struct net *net)
{
	net->is_short_of_descriptors = false;
	for (unsigned i = 0; i < net->listener_count; i++)
		if (net->listeners[i].listeners)
			net_watch(net, &net->listeners[i].source, EPOLLIN);
}

/* The guest begins or ends to listen. Before and after, the host refuses connections, as for any program. */
static void count_listener(struct net *net, const struct network_record *request, int more)
{
	for (unsigned i = 0; i < net->listener_count; i++) {
		struct net_listener *listener = &net->listeners[i];
		if (listener->port != request->local.port || (more < 0 && !listener->listeners))
			continue;
		unsigned before = listener->listeners;
		listener->listeners += (unsigned)more;
		if (!before && listen(listener->source.fd, SOMAXCONN)) { /* the guest has a queue of its own */
			net_fail(net, "cannot listen on a published port: %s", strerror(errno));
			return;
		}
		if (!listener->listeners)
			shutdown(listener->source.fd, SHUT_RDWR);
		net_watch(net, &listener->source, listener->listeners ? EPOLLIN : 0);
	}
}

void net_flow_accept(struct net *net, struct net_listener *listener)
{
	union net_sockaddr from;
	size_t room;
	while (net_ring_reserve(net, 0, &room)) {
		socklen_t bytes = sizeof(from);
		bool has_room = net->flow_count < net->limits.flows_max && net_has_descriptor(net);
		int fd = has_room ? accept4(listener->source.fd, &from.any, &bytes, SOCK_NONBLOCK | SOCK_CLOEXEC) : -1;
		if (!has_room ||
		    (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM))) {
			net->is_short_of_descriptors = true;
			net_watch(net, &listener->source, 0);
			return;
		}
		if (fd < 0)
			return;
		struct net_flow *flow = add_flow(net, NETWORK_INCOMING + net->last_incoming, fd);
		if (!flow) {
			close(fd);
			continue;
		}
		net->last_incoming++;
		struct network_record event = {.op = NETWORK_CAME, .flow = flow->number};
		net_address_to_guest(&from.any, &event.remote);
		net_address_guest(from.any.sa_family, event.local.bytes);
		event.local.port = listener->port;
		net_ring_put(net, &event);
		watch_flow(net, flow);
	}
}

void net_flow_request(struct net *net, const struct network_record *request, const uint8_t *payload)
{
	struct net_flow *flow = find_flow(net, request->flow);
	switch (request->op) {
	case NETWORK_CONNECT:
		connect_flow(net, request);
		return;
	case NETWORK_LISTEN:
		if (listener_of(net, request->local.port))
			count_listener(net, request, 1);
		return;
	case NETWORK_UNLISTEN:
		count_listener(net, request, -1);
		return;
	default:
		break;
	}
	if (!flow || flow->is_closing) /* the host has closed it meanwhile */
		return;
	switch (request->op) {
	case NETWORK_SEND:
		send_flow_data(net, flow, payload, request->bytes);
		break;
	case NETWORK_FINISH:
		flow->is_finishing = true;
		settle_flow(net, flow);
		break;
	case NETWORK_CLOSE:
		flow->is_closing = true;
		if (request->value)
			drop_flow(net, flow, true);
		else
			settle_flow(net, flow);
		break;
	default: { /* NETWORK_TAKEN */
		uint64_t taken = (uint32_t)request->value;
		taken = taken < flow->untaken ? taken : flow->untaken;
		flow->untaken -= taken;
		if (net_limits_take(&net->limits, taken))
			net_flow_resume(net);
		else
			watch_flow(net, flow);
		break;
	}
	}
}

void net_flow_resume(struct net *net)
{
	for (unsigned i = 0; i < NET_FLOW_LISTS; i++)
		for (struct net_flow *flow = net->flows[i]; flow; flow = flow->next)
			watch_flow(net, flow);
}

bool net_flow_has_unsent(const struct net *net)
{
	for (unsigned i = 0; i < NET_FLOW_LISTS; i++)
		for (const struct net_flow *flow = net->flows[i]; flow; flow = flow->next)
			if (!flow->is_connecting && flow->unsent.start < flow->unsent.end)
				return true;
	return false;
}

void net_flow_close_all(struct net *net)
{
	net->is_short_of_descriptors = false;
	for (unsigned i = 0; i < NET_FLOW_LISTS; i++)
		while (net->flows[i])
			drop_flow(net, net->flows[i], false);
}
