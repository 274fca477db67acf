/* SPDX-License-Identifier: MIT */
/* Which conversation of the recording a connection of the guest takes, and which answer a request of HTTP. */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "net/peers/net_peer.h"
#include "record/redact_queue.h"

#define EARLY_MAX (HTTP_HEAD_MAX + NETWORK_PAYLOAD_MAX)

/* The guest's connection has no peer in the recording: it breaks, or the run ends. */
static void miss(struct net *net, struct net_peer *peer, const char *request)
{
	if (net->config->miss == NET_MISS_STOPS) {
		net_peer_miss(net, request, &peer->remote);
		return;
	}
	net_peer_tell(net, peer->number, NETWORK_RESET, ECONNRESET);
	net_peer_drop(net, peer);
}

/* A connection whose peer has answered cannot go on with another one. */
static void miss_midway(struct net *net, const struct net_peer *peer, const char *text)
{
	char address[NET_ADDRESS_TEXT];
	net_address_text(&peer->remote, address);
	net_stop(net, NET_DIFFERS,
	         "a connection to %s leaves the recording with \"%.40s\", after its peer has answered: it cannot go on "
	         "with the real one; for TLS, give another --seed",
	         address, text);
}

static void miss_bytes(struct net *net, struct net_peer *peer, const uint8_t *data, size_t bytes)
{
	char text[NET_TEXT_BYTES], request[NET_TEXT_BYTES + 2];
	net_show(text, data, bytes);
	if (net_peer_passes(net)) {
		miss_midway(net, peer, text);
		return;
	}
	snprintf(request, sizeof(request), "\"%s\"", text);
	miss(net, peer, request);
}

/* --- connections of any protocol --- */

/* Goes on in the conversation where the guest sends these bytes. Returns false if they are others there. */
static bool follow_conversation(struct net *net, struct net_peer *peer, const uint8_t *data, size_t bytes)
{
	const struct peer_conversation *conversation = peer->conversation;
	uint8_t *recorded = net->peers->payload;
	for (size_t done = 0; done < bytes && conversation->has_answer;) {
		while (peer->send_step < conversation->count && conversation->steps[peer->send_step].op != NETWORK_SEND)
			peer->send_step++;
		if (peer->send_step == conversation->count)
			return false;
		const struct peer_step *at = &conversation->steps[peer->send_step];
		size_t left = at->bytes - peer->send_offset, run = bytes - done < left ? bytes - done : left;
		if (!net_peer_read(net, at->payload_at + peer->send_offset, recorded, run))
			return false;
		replay_fill_redacted(at->redacted, recorded, data + done, peer->send_offset, (uint32_t)run);
		if (memcmp(recorded, data + done, run))
			return false;
		done += run;
		peer->send_offset += (uint32_t)run;
		if (run == left) {
			peer->send_step++;
			peer->send_offset = 0;
		}
	}
	return true;
}

bool net_peer_bind(struct net *net, struct net_peer *peer)
{
	struct peers *recorded = net->peers->recorded;
	struct peer_remote *remote = peers_find(recorded, &peer->remote, IPPROTO_TCP);
	struct peer_conversation *before = peer->conversation;
	if (remote)
		peers_first_unused(recorded, remote);
	for (size_t at = remote ? remote->unused : PEERS_NONE; at != PEERS_NONE;
	     at = recorded->conversations[at].next) {
		struct peer_conversation *conversation = &recorded->conversations[at];
		if (conversation->is_used || !conversation->is_decided || conversation->error ||
		    conversation->exchange != PEERS_NONE)
			continue;
		peer->conversation = conversation;
		peer->send_step = peer->give_step = 0;
		peer->send_offset = 0;
		if (!follow_conversation(net, peer, peer->early, peer->early_bytes))
			continue;
		if (before) {
			before->is_used = false;
			remote->unused = remote->conversations;
		}
		conversation->is_used = true;
		peer->mode = NET_PEER_BOUND;
		return true;
	}
	peer->conversation = before;
	return false;
}

static bool keep_early(struct net *net, struct net_peer *peer, const uint8_t *data, size_t bytes)
{
	if (peer->early_bytes + bytes > net_peer_held_max(net, EARLY_MAX))
		return false;
	if (!array_reserve(peer->early, peer->early_room, peer->early_bytes + bytes)) {
		net_fail(net, "out of memory for the peers of the recording");
		return false;
	}
	memcpy(peer->early + peer->early_bytes, data, bytes);
	peer->early_bytes += bytes;
	net->peers->early_bytes += bytes;
	return true;
}

/* The recording has no conversation that begins with what the guest has sent: all of that goes to the network. */
static void leave_unanswered(struct net *net, struct net_peer *peer)
{
	struct peer_remote *remote = peers_find(net->peers->recorded, &peer->remote, IPPROTO_TCP);
	if (peer->conversation && remote) { /* another connection may take it */
		peer->conversation->is_used = false;
		remote->unused = remote->conversations;
	}
	peer->conversation = NULL;
	peer->mode = NET_PEER_UNBOUND;
	peer->is_leaving = true;
}

void net_peer_finish(struct net *net, struct net_peer *peer)
{
	const struct peer_conversation *conversation = peer->conversation;
	bool has_more = false; /* the recorded guest has sent more before it got an answer */
	peer->has_finished = true;
	for (size_t i = peer->send_step; conversation && i < conversation->count; i++)
		has_more |= conversation->steps[i].op == NETWORK_SEND;
	if (peer->mode == NET_PEER_BOUND && peer->is_new && conversation->has_answer && has_more &&
	    net_peer_passes(net))
		leave_unanswered(net, peer);
	net_peer_go_on(net, peer, false);
}

/* Follows the conversation. As long as the peer has not answered, another one may be the right one. */
static void send_bytes(struct net *net, struct net_peer *peer, const uint8_t *data, size_t bytes, bool is_kept)
{
	bool is_same = peer->mode == NET_PEER_BOUND && follow_conversation(net, peer, data, bytes);
	if (is_same || (peer->is_new && is_kept && net_peer_bind(net, peer)))
		return;
	if (peer->is_new && is_kept && net_peer_passes(net))
		leave_unanswered(net, peer);
	else
		miss_bytes(net, peer, data, bytes);
}

/* --- HTTP --- */

/* Whether a recorded request is the one that the guest makes. What --redact replaced in it fits anything. */
static bool is_same_key(const struct net *net, const char *recorded, const char *key)
{
	bool has_stars = net->config->replay->redacted.is;
	for (; *recorded && (*recorded == *key || (has_stars && *recorded == REDACT_BYTE && *key)); recorded++)
		key++;
	return *recorded == *key;
}

/* Adds the answer to a request whose head is complete. Returns false if the recording has none. */
static bool take_exchange(struct net *net, struct net_peer *peer)
{
	struct peers *recorded = net->peers->recorded;
	struct peer_remote *remote = peers_find(recorded, &peer->remote, IPPROTO_TCP);
	while (remote && remote->exchanges != PEERS_NONE && recorded->exchanges[remote->exchanges].is_used)
		remote->exchanges = recorded->exchanges[remote->exchanges].next;
	size_t at = remote ? remote->exchanges : PEERS_NONE;
	while (at != PEERS_NONE &&
	       (recorded->exchanges[at].is_used || !is_same_key(net, recorded->exchanges[at].key, peer->http.key)))
		at = recorded->exchanges[at].next;
	if (at == PEERS_NONE)
		return false;
	peer->mode = NET_PEER_HTTP;
	recorded->exchanges[at].is_used = recorded->exchanges[at].has_head = true;
	if (peer->first_exchange == PEERS_NONE) {
		peer->first_exchange = at;
		peer->give_step = recorded->exchanges[at].first;
	} else {
		recorded->exchanges[peer->last_exchange].following = at;
	}
	peer->last_exchange = peer->known_exchange = at;
	return true;
}

/* After a request, what the guest sends is no request: it follows the conversation of the last answer. */
static bool leave_http(struct net *net, struct net_peer *peer, const uint8_t *data, size_t bytes, size_t done)
{
	const struct peers *recorded = net->peers->recorded;
	struct peer_conversation *conversation =
		&recorded->conversations[recorded->exchanges[peer->known_exchange].conversation];
	if (conversation->raw_step == PEERS_NONE || peer->first_exchange != PEERS_NONE)
		return false;
	const struct http_request *http = &peer->http;
	size_t held = (size_t)(http->number - http->start); /* bytes that looked like the start of a request */
	peer->mode = NET_PEER_BOUND;
	peer->conversation = conversation;
	peer->send_step = peer->give_step = conversation->raw_step;
	peer->send_offset = conversation->raw_offset;
	/* net_peer_send adds `bytes`, of which `done` belong to the requests. */
	peer->sent = conversation->steps[conversation->raw_step].sent + conversation->raw_offset + held - done;
	return follow_conversation(net, peer, (const uint8_t *)http->head, held) &&
	       follow_conversation(net, peer, data + done, bytes - done);
}

/* Takes what the guest sends as requests of HTTP. Returns false if the bytes are no such request. The call may drop the
 * connection. */
static bool send_requests(struct net *net, struct net_peer *peer, const uint8_t *data, size_t bytes)
{
	size_t done = 0, taken;
	for (;;) {
		enum http_found found = http_request_take(&peer->http, data + done, bytes - done, &taken);
		done += taken;
		if (found == HTTP_MORE)
			return true;
		if (found == HTTP_RAW && peer->mode != NET_PEER_HTTP)
			return false;
		if (found == HTTP_RAW) {
			if (!leave_http(net, peer, data, bytes, done))
				miss_bytes(net, peer, data + done, bytes - done);
			return true;
		}
		if (found == HTTP_HEAD && !take_exchange(net, peer)) {
			if (net_peer_passes(net))
				net_peer_leave(net, peer, (const uint8_t *)peer->http.head,
				               (size_t)(peer->http.number - peer->http.start), data + done,
				               bytes - done);
			else
				miss(net, peer, peer->http.key);
			return true;
		}
		if (found == HTTP_END)
			net->peers->recorded->exchanges[peer->last_exchange].has_request = true;
		net_peer_go_on(net, peer, false);
	}
}

void net_peer_send(struct net *net, struct net_peer *peer, const uint8_t *data, size_t bytes)
{
	uint32_t number = peer->number;
	if (peer->is_leaving) {
		net_peer_hold(net, peer, data, bytes);
		return;
	}
	bool is_kept = peer->is_new && keep_early(net, peer, data, bytes);
	if (peer->mode == NET_PEER_HTTP && peer->has_ended) { /* its server has closed the connection */
		net_peer_tell(net, number, NETWORK_RESET, ECONNRESET);
		net_peer_drop(net, peer);
		return;
	}
	if (peer->mode == NET_PEER_BOUND || !send_requests(net, peer, data, bytes))
		send_bytes(net, peer, data, bytes, is_kept);
	if (net_peer_find(net, number) == peer) {
		peer->sent += bytes;
		net_peer_go_on(net, peer, false);
	}
}
