/* SPDX-License-Identifier: MIT */
/* Datagrams: an answer of DNS is found by its question, another one by the bytes that it answered. */
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "net/peers/net_peer.h"

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
		           !net_peer_read(net, datagram->payload_at, recorded, request->bytes) ||
		           memcmp(recorded, payload, request->bytes)) {
			continue;
		}
		if (!datagram->is_used)
			return datagram;
	}
	return again;
}

/* Puts the question as the guest has written it, with its number, into an answer of DNS. */
static void adapt_answer(uint8_t *answer, size_t bytes, const struct network_record *request, const uint8_t *payload)
{
	size_t asked_bytes, answered_bytes;
	const uint8_t *asked = peers_question(payload, request->bytes, &asked_bytes);
	const uint8_t *answered = peers_question(answer, bytes, &answered_bytes);
	if (!asked || !answered || !peers_is_same_question(asked, asked_bytes, answered, answered_bytes))
		return;
	memcpy(answer, payload, 2);
	memcpy(answer + (answered - answer), asked, asked_bytes);
}

static void answer_datagram(struct net *net, struct peer_datagram *datagram, const struct network_record *request,
                            const uint8_t *payload)
{
	const struct peers *recorded = net->peers->recorded;
	datagram->is_used = true;
	for (size_t at = datagram->first_answer; at != PEERS_NONE; at = recorded->answers[at].next) {
		const struct peer_answer *answer = &recorded->answers[at];
		struct network_record event = {.op = NETWORK_DATAGRAM_CAME,
		                               .bytes = answer->bytes,
		                               .local = request->local,
		                               .remote = request->remote};
		size_t room;
		uint8_t *to = net_ring_reserve(net, answer->bytes, &room);
		if (!to) /* it is lost, as datagrams are */
			return;
		if (answer->bytes && !net_peer_read(net, answer->payload_at, to, answer->bytes))
			return;
		if (datagram->question)
			adapt_answer(to, answer->bytes, request, payload);
		net_ring_commit(net, &event);
	}
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
	net_show(text, payload, request->bytes);
	snprintf(what, sizeof(what), "the datagram \"%s\"", text);
	if (!net->config->refuses_misses)
		net_peer_miss(net, what, &request->remote);
}
