/* SPDX-License-Identifier: MIT */
/* Datagrams: an answer of DNS is found by its question, another one by the bytes that it answered. */
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "net/peers/net_peer.h"

#define DNS_HEAD 12       /* bytes before the question */
#define BATCH_BYTES 65536 /* of answers that are given at once: a third of the receive buffer of a socket */
#define OVERHEAD 1024     /* that a datagram takes there besides its bytes */

static struct peer_datagram *find_datagram(struct net *net, const struct peer_remote *remote,
                                           const struct network_record *request, const uint8_t *payload)
{
	uint8_t *recorded = net->peers->payload;
	const struct peers *peers = net->peers->recorded;
	size_t question_bytes;
	const uint8_t *question = peers_question(payload, request->bytes, &question_bytes);
	struct peer_datagram *again = NULL;
	for (size_t at = remote->datagrams; at != PEERS_NONE; at = peers->datagrams[at].next) {
		struct peer_datagram *datagram = &peers->datagrams[at];
		if (datagram->question) {
			if (!question || !peers_is_same_question(datagram->question, datagram->question_bytes, question,
			                                         question_bytes))
				continue;
			again = datagram; /* a name may be looked up more often */
		} else if (datagram->bytes != request->bytes ||
		           !net_peer_read(net, datagram->payload_at, recorded, request->bytes)) {
			continue;
		} else {
			replay_fill_redacted(datagram->redacted, recorded, payload, 0, request->bytes);
			if (memcmp(recorded, payload, request->bytes))
				continue;
		}
		if (!datagram->is_used)
			return datagram;
	}
	return again;
}

/* Puts the question as the guest has written it, with its number, into an answer of DNS. */
static void adapt_answer(uint8_t *answer, size_t bytes, const uint8_t *query, size_t query_bytes)
{
	size_t asked_bytes, answered_bytes;
	const uint8_t *asked = peers_question(query, query_bytes, &asked_bytes);
	const uint8_t *answered = peers_question(answer, bytes, &answered_bytes);
	if (!asked || !answered || !peers_is_same_question(asked, asked_bytes, answered, answered_bytes))
		return;
	memcpy(answer, query, 2);
	memcpy(answer + (answered - answer), asked, asked_bytes);
}

static bool give_datagram(struct net *net, const struct net_answer *next)
{
	const struct peer_answer *answer = &net->peers->recorded->answers[next->answer];
	uint8_t *payload = net->peers->payload;
	struct network_record event = {
		.op = NETWORK_DATAGRAM_CAME, .bytes = answer->bytes, .local = next->local, .remote = next->remote};
	size_t room;
	uint8_t *to = net_ring_reserve(net, answer->bytes, &room);
	if (!to || (answer->bytes && !net_peer_read(net, answer->payload_at, payload, answer->bytes)))
		return false;
	if (next->asked_bytes)
		adapt_answer(payload, answer->bytes, next->asked, next->asked_bytes);
	memcpy(to, payload, answer->bytes);
	net_peer_commit(net, &event);
	replay_note_given(net->config->replay, answer->redacted);
	return true;
}

bool net_peer_give_datagrams(struct net *net)
{
	struct net_peers *peers = net->peers;
	size_t before = peers->first_answer, bytes = 0;
	while (peers->first_answer < peers->answer_count && bytes < BATCH_BYTES) {
		const struct net_answer *next = &peers->answers[peers->first_answer];
		if (!give_datagram(net, next))
			break;
		bytes += peers->recorded->answers[next->answer].bytes + OVERHEAD;
		peers->first_answer++;
	}
	bool has_given = peers->first_answer > before;
	if (peers->first_answer == peers->answer_count)
		peers->first_answer = peers->answer_count = 0;
	return has_given;
}

static void answer_datagram(struct net *net, struct peer_datagram *datagram, const struct network_record *request,
                            const uint8_t *payload)
{
	struct net_peers *peers = net->peers;
	bool is_first = !peers->answer_count;
	size_t asked = DNS_HEAD + datagram->question_bytes;
	datagram->is_used = true;
	for (size_t at = datagram->first_answer; at != PEERS_NONE; at = peers->recorded->answers[at].next) {
		if (!array_reserve(peers->answers, peers->answer_room, peers->answer_count + 1)) {
			net_fail(net, "out of memory for the peers of the recording");
			return;
		}
		struct net_answer *next = &peers->answers[peers->answer_count++];
		*next = (struct net_answer){.answer = at, .local = request->local, .remote = request->remote};
		if (datagram->question && asked <= NET_PEER_ASKED && asked <= request->bytes) {
			next->asked_bytes = asked;
			memcpy(next->asked, payload, asked);
		}
	}
	if (is_first)
		net_peer_give_datagrams(net);
}

void net_peer_datagram(struct net *net, const struct network_record *request, const uint8_t *payload)
{
	const struct peer_remote *remote = peers_find(net->peers->recorded, &request->remote, IPPROTO_UDP);
	char text[NET_TEXT_BYTES], what[160];
	if (remote && (remote->is_client || !remote->has_answer))
		return;
	struct peer_datagram *datagram = remote ? find_datagram(net, remote, request, payload) : NULL;
	if (datagram) {
		answer_datagram(net, datagram, request, payload);
		return;
	}
	if (net_peer_passes(net)) {
		net_peer_pass_new(net, request, payload);
		return;
	}
	net_show(text, payload, request->bytes);
	snprintf(what, sizeof(what), "the datagram \"%s\"", text);
	if (net->config->miss == NET_MISS_STOPS)
		net_peer_miss(net, what, &request->remote);
}
