/* SPDX-License-Identifier: MIT */
/* Connections with the outside. The end of such a connection that is not in the guest is a socket all the same, of a
 * family of its own, and the connection is a pair of sockets like any other. What the guest's end does is told to it
 * (socket_family.told), and becomes requests to the monitor; the monitor's events are what it does. */
#include "abi/errno.h"
#include "abi/network.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/net/fault/net_delay.h"
#include "kernel/net/inet_memory.h"
#include "kernel/net/inet_port.h"
#include "kernel/net/inet_stream.h"
#include "kernel/net/outside/outside.h"
#include "kernel/net/outside/outside_ring.h"

#define FLOW_LISTS 1024
#define TAKEN_LEAST 2048 /* bytes: half the least window of the monitor, which so never waits for a report */

/** A connection with the outside. */
struct outside_flow {
	struct list link;  /* in the list of its number */
	struct list sends; /* in `sending`, while `unsent` is not 0 */
	uint32_t number;   /* NETWORK_INCOMING and above: it came from outside */
	struct socket *end;
	bool is_connecting; /* the monitor has not decided yet */
	bool is_open;       /* the guest's end exists: a listener's queue had room */
	bool has_ended;     /* before that, the peer has ended the stream */
	struct list early;  /* before that: what has come, by message->queue */
	bool has_finished;  /* the end of what the guest sends was requested */
	uint64_t unsent;    /* bytes that the monitor has not sent yet; the guest's end is charged for them */
	uint64_t came;      /* bytes from the peer */
	uint64_t told;      /* of them, bytes that the monitor knows to be read */
};

static const struct socket_family outside_family;
static struct list lists[FLOW_LISTS]; /* all zero: not initialised */
static uint32_t last_number;
static struct list sending = {&sending, &sending};

static struct list *list_of(uint32_t number)
{
	struct list *list = &lists[number % FLOW_LISTS];
	if (!list->next)
		list_init(list);
	return list;
}

static struct outside_flow *find_flow(uint32_t number)
{
	list_each (link, list_of(number)) {
		struct outside_flow *flow = list_entry(link, struct outside_flow, link);
		if (flow->number == number)
			return flow;
	}
	return NULL;
}

static void request(const struct outside_flow *flow, enum network_op op, uint64_t value)
{
	const struct network_record record = {.op = op, .flow = flow->number, .value = (int32_t)value};
	outside_request(&record, NULL);
}

/* Makes a flow and its end outside, which has the addresses of the guest's end the other way round. */
static struct outside_flow *make_flow(uint32_t number, int domain)
{
	struct outside_flow *flow = kzalloc(sizeof(*flow));
	struct socket *end = flow ? socket_create(&outside_family, domain, LINUX_SOCK_STREAM) : NULL;
	if (!end) {
		kfree(flow);
		return NULL;
	}
	list_remove(&end->all); /* it is not the guest's */
	list_init(&end->all);
	list_init(&end->inet.pending);
	end->protocol = LINUX_IPPROTO_TCP;
	end->owner = 0;
	end->state = SOCKET_CONNECTED;
	end->inet.tcp = LINUX_TCP_SYN_SENT;
	end->inet.flow = flow;
	list_init(&flow->early);
	flow->number = number;
	flow->end = end;
	list_add_last(list_of(number), &flow->link);
	outside_begin_waiting();
	return flow;
}

/* Forgets a flow, and closes its end. */
static void drop_flow(struct outside_flow *flow)
{
	struct socket *end = flow->end;
	if (flow->unsent)
		inet_memory_discharge(end->peer, flow->unsent);
	while (!list_is_empty(&flow->early)) {
		struct message *message = list_entry(flow->early.next, struct message, queue);
		list_remove(&message->queue);
		kfree(message);
	}
	list_remove(&flow->link);
	list_remove(&flow->sends);
	end->inet.flow = NULL;
	kfree(flow);
	outside_end_waiting();
	socket_close(end, true);
}

/* Sends what the guest's end has put into the queue. The charge stays until the monitor has sent it. */
static void send_queued(struct outside_flow *flow)
{
	while (!list_is_empty(&flow->end->messages)) {
		struct message *message = list_entry(flow->end->messages.next, struct message, queue);
		for (size_t done = 0; done < message->bytes;) {
			size_t left = message->bytes - done,
			       piece = left < NETWORK_STREAM_MAX ? left : NETWORK_STREAM_MAX;
			const struct network_record record = {
				.op = NETWORK_SEND, .flow = flow->number, .bytes = (uint32_t)piece};
			outside_request(&record, message->data + done);
			done += piece;
		}
		flow->unsent += message->charge;
		if (flow->unsent && !list_has(&flow->sends))
			list_add_last(&sending, &flow->sends);
		message->charge = 0;
		socket_message_free(message);
	}
}

/* Tells the monitor how much the guest's program has read, when it is much, or all. */
static void tell_flow_taken(struct outside_flow *flow)
{
	uint64_t taken = flow->came - flow->end->charged;
	if (taken - flow->told < (flow->end->charged ? NETWORK_WINDOW / 4 : TAKEN_LEAST))
		return;
	request(flow, NETWORK_TAKEN, taken - flow->told);
	flow->told = taken;
}

/* Gives the guest's end data. */
static void give_flow_data(struct outside_flow *flow, struct message *message)
{
	inet_stream_send_message(flow->end, message, false);
}

/* The guest's end exists now: it gets what has come before. */
static void open_flow(struct outside_flow *flow)
{
	flow->is_open = true;
	while (!list_is_empty(&flow->early)) {
		struct message *message = list_entry(flow->early.next, struct message, queue);
		list_remove(&message->queue);
		give_flow_data(flow, message);
	}
	if (flow->has_ended)
		inet_stream_finish(flow->end);
}

static void end_changed(struct socket *end)
{
	struct outside_flow *flow = end->inet.flow;
	if (!flow)
		return;
	bool is_closed = end->inet.tcp == LINUX_TCP_CLOSE;
	if (flow->is_connecting) {
		if (end->ended || is_closed) { /* the guest's end is closed before it is connected */
			request(flow, NETWORK_CLOSE, true);
			drop_flow(flow);
		}
		return;
	}
	if (end->inet.tcp == LINUX_TCP_SYN_SENT) /* it waits for room in a listener's queue */
		return;
	if (!is_closed && !flow->is_open)
		open_flow(flow);
	send_queued(flow);
	tell_flow_taken(flow);
	if (end->ended && !flow->has_finished) {
		flow->has_finished = true;
		request(flow, NETWORK_FINISH, 0);
	}
	if (is_closed) {
		request(flow, NETWORK_CLOSE, !end->ended || !end->inet.has_finished);
		drop_flow(flow);
	}
}

int outside_stream_connect(struct socket *socket)
{
	struct outside_flow *flow = make_flow(++last_number, socket->domain);
	if (!flow)
		return -ENOMEM;
	flow->end->inet.local = socket->inet.remote;
	flow->end->inet.remote = socket->inet.local;
	flow->end->inet.connection = socket->inet.connection;
	flow->end->peer = socket_get(socket);
	socket->peer = socket_get(flow->end);
	flow->is_connecting = true;
	socket->inet.tcp = LINUX_TCP_SYN_SENT;
	struct network_record record = {.op = NETWORK_CONNECT, .flow = flow->number};
	record.local = outside_address_to(&socket->inet.local);
	record.remote = outside_address_to(&socket->inet.remote);
	outside_request(&record, NULL);
	return 0;
}

static bool is_offered(const struct socket *socket)
{
	return outside_ring_is_published(LINUX_IPPROTO_TCP, socket->inet.local.port);
}

static void request_port(const struct socket *socket, enum network_op op)
{
	struct network_record record = {.op = op};
	record.local = outside_address_to(&socket->inet.local);
	outside_request(&record, NULL);
}

void outside_stream_listen(const struct socket *socket)
{
	if (!is_offered(socket))
		return;
	outside_begin_waiting();
	request_port(socket, NETWORK_LISTEN);
}

void outside_stream_unlisten(const struct socket *socket)
{
	if (!is_offered(socket))
		return;
	request_port(socket, NETWORK_UNLISTEN);
	outside_end_waiting();
}

/* --- events --- */

static void come(const struct network_record *event)
{
	struct inet_address local = outside_address_from(&event->local), remote = outside_address_from(&event->remote);
	int domain = inet_address_is_v4(&local) ? LINUX_AF_INET : LINUX_AF_INET6;
	struct outside_flow *flow = make_flow(event->flow, domain);
	if (!flow) {
		const struct network_record record = {.op = NETWORK_CLOSE, .flow = event->flow, .value = true};
		outside_request(&record, NULL);
		return;
	}
	if (inet_address_is_local(&remote)) { /* the host's address is also the guest's */
		request(flow, NETWORK_CLOSE, true);
		drop_flow(flow);
		return;
	}
	flow->end->inet.local = remote;
	flow->end->inet.remote = local;
	if (inet_stream_attempt(flow->end) && find_flow(event->flow)) {
		request(flow, NETWORK_CLOSE, true);
		drop_flow(flow);
	}
}

/* The guest's end learns that it is connected or refused. Meanwhile the connection may have been reset. */
static void arrive_answer(const struct net_delay_item *item)
{
	struct socket *end = item->from, *socket = item->to;
	struct outside_flow *flow = end->inet.flow;
	if (socket->dead || socket->inet.connection != item->connection || socket->inet.tcp != LINUX_TCP_SYN_SENT)
		return;
	if (flow)
		flow->is_connecting = false;
	if (!item->value) {
		inet_stream_connect_pair(socket, end);
		return;
	}
	inet_stream_refuse(socket, item->value);
	if (flow)
		drop_flow(flow);
}

static void connected(const struct outside_flow *flow, int error)
{
	struct socket *end = flow->end;
	net_delay_pass(&(const struct net_delay_item){.arrive = arrive_answer,
	                                              .from = end,
	                                              .to = end->peer,
	                                              .connection = end->inet.connection,
	                                              .value = error});
}

static void data(struct outside_flow *flow, struct message *message)
{
	struct socket *socket = flow->end->peer;
	if (!socket && message) { /* it waits for room in a listener's queue */
		flow->came += message->bytes;
		message->joins = true;
		socket_message_queue(&flow->early, message);
		return;
	}
	if (!socket) {
		request(flow, NETWORK_CLOSE, true);
		drop_flow(flow);
		return;
	}
	bool is_refused = socket->dead && !net_delay_is_on(); /* with delays, when it arrives */
	if (is_refused || !message) {                         /* nobody can read it, or no memory is left for it */
		request(flow, NETWORK_CLOSE, true);
		kfree(message);
		inet_stream_reset(socket);
		drop_flow(flow);
		return;
	}
	flow->came += message->bytes;
	give_flow_data(flow, message);
}

static void sent(struct outside_flow *flow, uint64_t bytes)
{
	struct socket *socket = flow->end->peer;
	bytes = socket && bytes < flow->unsent ? bytes : flow->unsent;
	if (!bytes)
		return;
	flow->unsent -= bytes;
	if (!flow->unsent)
		list_remove(&flow->sends);
	inet_memory_discharge(socket, bytes);
	if (!socket->dead && socket_is_writable(socket))
		socket_tell(socket, SOCKET_WRITABLE);
}

static void ended(struct outside_flow *flow)
{
	if (!flow->end->peer) {
		flow->has_ended = true;
		return;
	}
	struct socket *end = socket_get(flow->end);
	inet_stream_finish(end);
	end_changed(end); /* both ends may be closed now */
	socket_put(end);
}

void outside_stream_event(const struct network_record *event, struct message *payload)
{
	struct outside_flow *flow = find_flow(event->flow);
	if (event->op == NETWORK_CAME && !flow) {
		come(event);
		return;
	}
	if (!flow) { /* the guest has closed it meanwhile */
		kfree(payload);
		return;
	}
	switch (event->op) {
	case NETWORK_CONNECTED:
		if (!flow->is_connecting) /* an edited recording */
			break;
		connected(flow, event->value);
		break;
	case NETWORK_DATA:
		data(flow, payload);
		break;
	case NETWORK_SENT:
		sent(flow, (uint32_t)event->value);
		break;
	case NETWORK_ENDED:
		ended(flow);
		break;
	case NETWORK_RESET:
		if (flow->end->peer)
			inet_stream_send_reset(flow->end, flow->end->peer);
		if (find_flow(event->flow))
			drop_flow(flow);
		break;
	default:
		break;
	}
}

bool outside_stream_wants_room(void)
{
	list_each (link, &sending) {
		const struct socket *socket = list_entry(link, struct outside_flow, sends)->end->peer;
		if (socket && !socket_is_writable(socket))
			return true;
	}
	return false;
}

static bool is_flow_writable(const struct socket *)
{
	return true;
}

static void flow_end_closed(struct socket *end, bool)
{
	inet_stream_stop_waiting(end);
}

static void flow_taken(struct message *, bool)
{
}

static const struct socket_family outside_family = {
	.told = end_changed,
	.close = flow_end_closed,
	.is_writable = is_flow_writable,
	.taken = flow_taken,
};
