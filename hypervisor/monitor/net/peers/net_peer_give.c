/* SPDX-License-Identifier: MIT */
/* What a peer does, as soon as the guest has sent what it had sent in the recording. */
#include "net/peers/net_peer.h"
#include "record/record_log.h"

bool net_peer_read(struct net *net, uint64_t at, uint8_t *to, size_t bytes)
{
	const struct record_network entry = {.record.bytes = (uint32_t)bytes, .payload_at = at};
	struct replay *replay = net->config->replay;
	if (!replay_payload(replay, &entry, to))
		return true;
	net_fail(net, "cannot use the recording %.60s: %.160s", replay->dir, replay->error.text);
	return false;
}

bool net_peer_give_payload(struct net *net, struct network_record *event, uint64_t payload_at, uint32_t bytes)
{
	size_t room;
	uint8_t *to = net_ring_reserve(net, bytes, &room);
	if (!to || (bytes && !net_peer_read(net, payload_at, to, bytes)))
		return false;
	event->bytes = bytes;
	net_peer_commit(net, event);
	return true;
}

bool net_peer_give(struct net *net, struct net_peer *peer, const struct peer_step *step)
{
	struct network_record event = {.op = step->op, .flow = peer->number, .value = step->value};
	if (peer->has_ended && step->op != NETWORK_RESET)
		return true;
	if (step->op == NETWORK_DATA) {
		if (peer->untaken >= NETWORK_WINDOW ||
		    !net_peer_give_payload(net, &event, step->payload_at, step->bytes))
			return false;
		replay_note_given(net->config->replay, step->redacted);
		peer->untaken += step->bytes;
	} else {
		net_peer_put(net, &event);
		peer->has_ended = true;
		peer->is_broken = step->op == NETWORK_RESET;
	}
	peer->is_new = false;
	return true;
}

static bool is_of_peer(const struct peer_step *step)
{
	return step->op >= NETWORK_CONNECTED;
}

static bool go_on_bound(struct net *net, struct net_peer *peer, bool is_idle)
{
	const struct peer_conversation *conversation = peer->conversation;
	bool has_given = false;
	for (; peer->give_step < conversation->count; peer->give_step++) {
		const struct peer_step *step = &conversation->steps[peer->give_step];
		if (!is_of_peer(step))
			continue;
		bool is_due = step->sent <= peer->sent && (!step->after_finish || peer->has_finished);
		if ((!is_due && (!is_idle || has_given)) || !net_peer_give(net, peer, step))
			break;
		has_given = true;
	}
	return has_given;
}

/* Gives the rest of an answer. Returns whether it is complete. */
static bool give_answer(struct net *net, struct net_peer *peer, const struct peer_exchange *exchange, bool *has_given)
{
	const struct peer_conversation *conversation = &net->peers->recorded->conversations[exchange->conversation];
	for (; peer->give_step < exchange->last; peer->give_step++) {
		const struct peer_step *step = &conversation->steps[peer->give_step];
		if (!is_of_peer(step))
			continue;
		/* The recorded guest ended the connection here, and this one has sent another request. */
		if (step->after_finish && (exchange->following != PEERS_NONE || peer->is_leaving))
			continue;
		bool is_due = step->sent <= exchange->head_end ? exchange->has_head : exchange->has_request;
		if (!is_due || (step->after_finish && !peer->has_finished) || !net_peer_give(net, peer, step))
			return false;
		*has_given = true;
	}
	return exchange->has_request;
}

static bool go_on_http(struct net *net, struct net_peer *peer)
{
	bool has_given = false;
	while (peer->first_exchange != PEERS_NONE) {
		struct peers *recorded = net->peers->recorded;
		struct peer_exchange *exchange = &recorded->exchanges[peer->first_exchange];
		if (!give_answer(net, peer, exchange, &has_given))
			break;
		peer->first_exchange = exchange->following;
		if (peer->first_exchange != PEERS_NONE)
			peer->give_step = recorded->exchanges[peer->first_exchange].first;
	}
	return has_given;
}

/* Whether the peer has nothing more to say. */
static bool is_over(const struct net_peer *peer)
{
	if (peer->mode == NET_PEER_HTTP)
		return peer->first_exchange == PEERS_NONE;
	return !peer->conversation || peer->give_step == peer->conversation->count;
}

bool net_peer_go_on(struct net *net, struct net_peer *peer, bool is_idle)
{
	bool has_given = false;
	if (peer->is_broken || peer->number >= NETWORK_INCOMING) /* clients go on in an order of their own */
		return false;
	if (peer->mode == NET_PEER_HTTP)
		has_given = go_on_http(net, peer);
	else if (peer->conversation)
		has_given = go_on_bound(net, peer, is_idle);
	if (net_peer_has_left(net, peer))
		return true;
	if (peer->has_finished && is_over(peer) && !peer->has_ended) { /* a peer ends its side when the guest has */
		net_peer_tell(net, peer->number, NETWORK_ENDED, 0);
		peer->has_ended = has_given = true;
	}
	return has_given;
}
