/* SPDX-License-Identifier: MIT */
/* --replay-net: the guest runs anew, and its peers are those of a recording. A peer answers at once, as soon as the
 * guest has sent what it had sent in the recording; so all that comes depends on the guest's requests alone.
 *
 * A connection takes the first conversation with its destination that begins with what the guest sends. A request of
 * HTTP takes the first answer to a request of the same method, target and host. Clients come in the recorded order. */
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>

#include "base/error.h"
#include "net/peers/net_peer.h"

#define CONNECTIONS_MAX 65536
#define EARLY_ALL (256UL << 20)    /* bytes that connections have sent before their peers are known */
#define LOOKING_NS 3600000000000UL /* a client that looks again and again whether its peer has answered */
#define LOOKING_TIMES 10000
#define PATIENCE_NS 60000000000UL /* of virtual time: how long a server may do nothing for its clients */

static struct net_peer **peer_list(struct net *net, uint32_t number)
{
	return &net->peers->lists[number % NET_PEER_LISTS];
}

struct net_peer *net_peer_find(struct net *net, uint32_t number)
{
	struct net_peer *peer = *peer_list(net, number);
	while (peer && peer->number != number)
		peer = peer->next;
	return peer;
}

static struct net_peer *add_peer(struct net *net, uint32_t number, const struct network_address *local,
                                 const struct network_address *remote)
{
	bool has_room = net->peers->connections < CONNECTIONS_MAX && net->peers->early_bytes < EARLY_ALL;
	struct net_peer *peer = has_room ? calloc(1, sizeof(*peer)) : NULL;
	if (!peer) {
		net_fail(net, "out of memory for the peers of the recording: the program has %u connections",
		         net->peers->connections);
		return NULL;
	}
	net->peers->connections++;
	peer->number = number;
	peer->local = *local;
	peer->remote = *remote;
	peer->is_new = true;
	peer->first_exchange = PEERS_NONE;
	peer->next = *peer_list(net, number);
	*peer_list(net, number) = peer;
	return peer;
}

void net_peer_drop(struct net *net, struct net_peer *peer)
{
	struct net_peer **at = peer_list(net, peer->number);
	while (*at != peer)
		at = &(*at)->next;
	*at = peer->next;
	net->peers->connections--;
	net->peers->early_bytes -= peer->early_bytes;
	http_request_free(&peer->http);
	free(peer->early);
	free(peer);
}

void net_peer_put(struct net *net, const struct network_record *event)
{
	net->is_repeating = true;
	net_ring_put(net, event);
	net->is_repeating = false;
}

void net_peer_commit(struct net *net, const struct network_record *event)
{
	net->is_repeating = true;
	net_ring_commit(net, event);
	net->is_repeating = false;
}

void net_peer_tell(struct net *net, uint32_t number, enum network_op op, int value)
{
	const struct network_record event = {.op = op, .flow = number, .value = value};
	net_peer_put(net, &event);
}

void net_peer_miss(struct net *net, const char *request, const struct network_address *remote)
{
	char text[NET_ADDRESS_TEXT];
	net_address_text(remote, text);
	net_stop(net, NET_DIFFERS, "the recording has no answer to this request to %s: %.150s", text, request);
}

/* --- requests --- */

/* What a client gets is not compared: the program may be another one. */
static void send_peer_data(struct net *net, struct net_peer *peer, const uint8_t *data, size_t bytes)
{
	net_peer_tell(net, peer->number, NETWORK_SENT, (int)bytes);
	if (peer->number >= NETWORK_INCOMING)
		peer->sent += bytes;
	else
		net_peer_send(net, peer, data, bytes);
}

/* Whether a destination has an answer to a request of HTTP. */
static bool has_exchange(const struct peers *recorded, const struct peer_remote *remote)
{
	for (size_t at = remote->exchanges; at != PEERS_NONE; at = recorded->exchanges[at].next)
		if (!recorded->exchanges[at].is_used)
			return true;
	return false;
}

static void connect_peer(struct net *net, const struct network_record *request)
{
	struct peers *recorded = net->peers->recorded;
	struct peer_remote *remote = peers_find(recorded, &request->remote, IPPROTO_TCP);
	struct peer_conversation *first = remote ? peers_first_unused(recorded, remote) : NULL;
	if (!first && !(remote && has_exchange(recorded, remote))) {
		if (net_peer_passes(net))
			net_peer_pass_new(net, request, NULL);
		else if (net->config->miss == NET_MISS_REFUSED)
			net_peer_tell(net, request->flow, NETWORK_CONNECTED, ECONNREFUSED);
		else
			net_peer_miss(net, "a connection", &request->remote);
		return;
	}
	if (first && first->is_decided && first->error) {
		first->is_used = true;
		net_peer_tell(net, request->flow, NETWORK_CONNECTED, first->error);
		return;
	}
	struct net_peer *peer = add_peer(net, request->flow, &request->local, &request->remote);
	if (!peer)
		return;
	if (first && !first->is_decided) { /* nobody has answered */
		first->is_used = true;
		return;
	}
	net_peer_tell(net, request->flow, NETWORK_CONNECTED, 0);
	if (first && first->exchange != PEERS_NONE) /* its requests choose their answers one by one */
		first->is_used = true;
	else if (first && first->speaks_first && net_peer_bind(net, peer))
		net_peer_go_on(net, peer, false);
}

/* --- clients --- */

/* Whether the next arrival may happen now. */
static bool is_arrival_due(struct net *net, const struct peer_arrival *arrival, bool is_idle)
{
	if (arrival->conversation == PEERS_NONE)
		return is_idle;
	const struct peer_conversation *conversation = &net->peers->recorded->conversations[arrival->conversation];
	if (arrival->step == PEERS_NONE)
		return net->peers->listeners[conversation->local.port] > 0;
	const struct net_peer *peer = net_peer_find(net, conversation->number);
	const struct peer_step *step = &conversation->steps[arrival->step];
	if (!peer || peer->is_broken) /* it is over */
		return true;
	/* A server that answers otherwise than in the recording has answered when it waits. */
	bool has_answered = step->sent <= peer->sent || (is_idle && (peer->sent > 0 || peer->has_finished));
	return has_answered && (!step->after_finish || peer->has_finished || is_idle);
}

static bool arrive(struct net *net, const struct peer_arrival *arrival)
{
	struct network_record event = {.op = NETWORK_DATAGRAM_CAME, .local = arrival->local, .remote = arrival->remote};
	if (arrival->conversation == PEERS_NONE) {
		bool is_given = net_peer_give_payload(net, &event, arrival->payload_at, arrival->bytes);
		replay_note_given(net->config->replay, is_given ? arrival->redacted : NULL);
		return is_given;
	}
	const struct peer_conversation *conversation = &net->peers->recorded->conversations[arrival->conversation];
	struct net_peer *peer = net_peer_find(net, conversation->number);
	if (arrival->step != PEERS_NONE)
		return !peer || peer->is_broken || net_peer_give(net, peer, &conversation->steps[arrival->step]);
	if (!add_peer(net, conversation->number, &conversation->local, &conversation->remote))
		return false;
	event = (struct network_record){.op = NETWORK_CAME,
	                                .flow = conversation->number,
	                                .local = conversation->local,
	                                .remote = conversation->remote};
	net_peer_put(net, &event);
	return true;
}

/* Lets clients do what is due. When the guest waits, one of them does one thing. */
static void let_arrive(struct net *net, bool is_idle)
{
	const struct peers *recorded = net->peers->recorded;
	bool may_wait = is_idle;
	while (!net->end && net->peers->arrival < recorded->arrival_count) {
		const struct peer_arrival *arrival = &recorded->arrivals[net->peers->arrival];
		if (!is_arrival_due(net, arrival, false)) {
			if (!may_wait || net_ring_has_events(net) || !is_arrival_due(net, arrival, true))
				return;
			may_wait = false;
		}
		if (!arrive(net, arrival))
			return;
		net->peers->arrival++;
	}
}

/* --- what net.c calls --- */

/* When the ring had no room for all, the guest asks for more at each look. */
static void ask_again(struct net *net)
{
	net->area->clients_wait = net->peers->arrival < net->peers->recorded->arrival_count;
	net->area->next_look = net->is_full ? 0 : UINT64_MAX;
}

void net_peers_request(struct net *net, const struct network_record *request, const uint8_t *payload)
{
	struct net_peer *peer = net_peer_find(net, request->flow);
	net->peers->waited_ns = net->peers->waits = 0;
	net->peers->look = request->look;
	net->peers->moment = request->moment;
	switch (request->op) {
	case NETWORK_CONNECT:
		if (request->flow >= NETWORK_INCOMING || peer)
			net_fail(net, "the guest opened the connection %u twice", request->flow);
		else
			connect_peer(net, request);
		break;
	case NETWORK_SEND:
		if (peer)
			send_peer_data(net, peer, payload, request->bytes);
		else
			net_peer_pass(net, request, payload);
		break;
	case NETWORK_FINISH:
		if (peer)
			net_peer_finish(net, peer);
		else
			net_peer_pass(net, request, payload);
		break;
	case NETWORK_CLOSE:
		if (peer)
			net_peer_drop(net, peer);
		else
			net_peer_pass(net, request, payload);
		break;
	case NETWORK_TAKEN:
		if (peer) {
			uint64_t taken = (uint32_t)request->value;
			peer->untaken -= taken < peer->untaken ? taken : peer->untaken;
			net_peer_go_on(net, peer, false);
		} else {
			net_peer_pass(net, request, payload);
		}
		break;
	case NETWORK_LISTEN:
		net->peers->listeners[request->local.port]++;
		break;
	case NETWORK_UNLISTEN:
		net->peers->listeners[request->local.port] -= net->peers->listeners[request->local.port] > 0;
		break;
	case NETWORK_DATAGRAM:
		net_peer_datagram(net, request, payload);
		break;
	case NETWORK_FORGET:
		net_peer_pass(net, request, payload);
		break;
	default:
		net_fail(net, "the guest made the network request %u, which does not exist", request->op);
		break;
	}
	let_arrive(net, false);
	ask_again(net);
}

/* All peers go on: the ring has room again, or the guest waits. Returns whether one has done something. */
static bool all_go_on(struct net *net, bool is_idle)
{
	for (unsigned i = 0; i < NET_PEER_LISTS; i++)
		for (struct net_peer *peer = net->peers->lists[i], *next; peer; peer = next) {
			next = peer->next;
			if (net_peer_go_on(net, peer, is_idle) && is_idle)
				return true;
		}
	return false;
}

void net_peers_turn(struct net *net)
{
	if (!net->is_full || net_ring_has_events(net))
		return;
	net->is_full = false;
	if (net_peer_passes(net))
		net_hear_again(net);
	all_go_on(net, false);
	let_arrive(net, false);
	ask_again(net);
}

/* Why nothing more can come. */
static void stop_waiting(struct net *net)
{
	const struct peers *recorded = net->peers->recorded;
	if (net->peers->arrival == recorded->arrival_count) {
		net_stop(net, NET_IS_OVER,
		         "the program waits, and the peers of the recording have nothing more to say");
		return;
	}
	const struct peer_arrival *arrival = &recorded->arrivals[net->peers->arrival];
	if (arrival->conversation == PEERS_NONE || arrival->step != PEERS_NONE)
		net_stop(net, NET_DIFFERS, "the program waits, and a client of the recording waits for its answer");
	else
		net_stop(net, NET_DIFFERS,
		         "the program waits, and does not listen on port %u, where a client of the recording comes",
		         recorded->conversations[arrival->conversation].local.port);
}

/* Whether time may go on although no peer has anything to do now. */
static bool has_patience(const struct net *net)
{
	const struct net_peers *peers = net->peers;
	if (peers->recorded->arrival_count) /* it is a server, and its clients are done or wait for it */
		return peers->waited_ns < PATIENCE_NS;
	return !peers->connections || peers->waited_ns < LOOKING_NS || peers->waits < LOOKING_TIMES;
}

void net_peers_wait(struct net *net, uint64_t most_ns)
{
	net_peers_turn(net);
	let_arrive(net, true);
	if (net->end || net_ring_has_events(net))
		return;
	if (net_peer_give_datagrams(net))
		return;
	if (net->flow_count || net->port_count) /* net_wait waits for the host */
		return;
	net->peers->waits++;
	bool is_patient = has_patience(net);
	if (most_ns != UINT64_MAX && is_patient) { /* nothing can come before the guest's next timer */
		const struct network_record event = {.op = NETWORK_TIME, .moment = most_ns};
		net->peers->waited_ns += most_ns;
		net_peer_put(net, &event);
	} else if (!all_go_on(net, true)) {
		stop_waiting(net);
	}
}

int net_peers_begin(struct net *net, struct error *error)
{
	net->peers = calloc(1, sizeof(*net->peers));
	if (!net->peers)
		return error_set(error, ENOMEM, "out of memory for the network");
	net->area->is_eager = true;
	int result = peers_read(&net->peers->recorded, net->config->replay, error);
	if (!result)
		ask_again(net);
	return result;
}

void net_peers_end(struct net *net)
{
	if (!net->peers)
		return;
	for (unsigned i = 0; i < NET_PEER_LISTS; i++)
		while (net->peers->lists[i])
			net_peer_drop(net, net->peers->lists[i]);
	peers_free(net->peers->recorded);
	free(net->peers->answers);
	free(net->peers);
	net->peers = NULL;
}
