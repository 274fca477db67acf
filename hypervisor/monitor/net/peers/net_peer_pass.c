/* SPDX-License-Identifier: MIT */
/* --replay-miss=passthrough: what the recording has no answer to goes to the network. A connection of which nothing was
 * answered goes there as a whole; one of HTTP does so from the request on that the recording lacks. */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "base/array.h"
#include "net/peers/net_peer.h"
#include "record/recording.h"

#define DNS_PORT 53
#define HELD_MAX \
	(8UL << 20) /* bytes that a connection sends before it is known whether the recording has its answer \
	             */

bool net_peer_passes(const struct net *net)
{
	return net->config->miss == NET_MISS_PASSES;
}

size_t net_peer_held_max(const struct net *net, size_t otherwise)
{
	return net_peer_passes(net) ? HELD_MAX : otherwise;
}

void net_peer_pass(struct net *net, const struct network_record *request, const uint8_t *payload)
{
	if (!net_peer_passes(net))
		return;
	/* A connection of the recording that is gone has no start in what is recorded now. */
	if (net->config->recording &&
	    (!request->flow || request->op == NETWORK_CONNECT || net_flow_is_open(net, request->flow)))
		net_record_request(net, request, payload);
	net_perform(net, request, payload);
}

void net_peer_pass_new(struct net *net, const struct network_record *request, const uint8_t *payload)
{
	bool is_datagram = request->op == NETWORK_DATAGRAM;
	size_t question_bytes;
	if (!net_permits(net, &request->remote, is_datagram ? IPPROTO_UDP : IPPROTO_TCP))
		; /* net_perform refuses it */
	else if (!is_datagram)
		net->misses.connections++;
	else if (request->remote.port == DNS_PORT && peers_question(payload, request->bytes, &question_bytes))
		net->misses.questions++;
	else
		net->misses.datagrams++;
	net_peer_pass(net, request, payload);
}

void net_peer_leave(struct net *net, struct net_peer *peer, const uint8_t *head, size_t head_bytes, const uint8_t *data,
                    size_t bytes)
{
	struct net_peers *peers = net->peers;
	peers->early_bytes -= peer->early_bytes;
	peer->early_bytes = 0;
	peer->is_leaving = true;
	net_peer_hold(net, peer, head, head_bytes);
	net_peer_hold(net, peer, data, bytes);
}

void net_peer_hold(struct net *net, struct net_peer *peer, const uint8_t *data, size_t bytes)
{
	if (peer->early_bytes + bytes > HELD_MAX) {
		net_fail(net,
		         "the program sends more than %lu MiB on a connection before it reads the recorded answers",
		         HELD_MAX >> 20);
		return;
	}
	if (!array_reserve(peer->early, peer->early_room, peer->early_bytes + bytes)) {
		net_fail(net, "out of memory for the peers of the recording");
		return;
	}
	memcpy(peer->early + peer->early_bytes, data, bytes);
	peer->early_bytes += bytes;
	net->peers->early_bytes += bytes;
}

/* Records the start of a connection that has left the recording, as the guest saw it. */
static void record_start(struct net *net, const struct network_record *connect, const struct net_peer *peer)
{
	struct network_record record = {
		.op = NETWORK_CONNECTED, .flow = connect->flow, .look = connect->look, .moment = connect->moment};
	struct recording *recording = net->config->recording;
	net_record_request(net, connect, NULL);
	recording_network(recording, &record, NULL);
	record.op = NETWORK_SEND;
	for (size_t done = 0; done < peer->early_bytes; done += record.bytes) {
		size_t left = peer->early_bytes - done;
		record.bytes = left < NETWORK_STREAM_MAX ? (uint32_t)left : NETWORK_STREAM_MAX;
		recording_network(recording, &record, peer->early + done);
	}
}

bool net_peer_has_left(struct net *net, struct net_peer *peer)
{
	if (!peer->is_leaving || peer->first_exchange != PEERS_NONE)
		return false;
	if (peer->has_ended) {
		net_peer_tell(net, peer->number, NETWORK_RESET, ECONNRESET);
		net_peer_drop(net, peer);
		return true;
	}
	struct network_record request = {.op = NETWORK_CONNECT,
	                                 .flow = peer->number,
	                                 .look = net->peers->look,
	                                 .moment = net->peers->moment,
	                                 .local = peer->local,
	                                 .remote = peer->remote};
	if (net_permits(net, &peer->remote, IPPROTO_TCP))
		net->misses.connections++;
	if (net->config->recording)
		record_start(net, &request, peer);
	net_flow_adopt(net, &request, peer->untaken, peer->early, peer->early_bytes);
	request.op = NETWORK_FINISH;
	request.local = request.remote = (struct network_address){0};
	if (peer->has_finished)
		net_peer_pass(net, &request, NULL);
	net_peer_drop(net, peer);
	return true;
}
