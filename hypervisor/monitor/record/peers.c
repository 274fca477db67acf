/* SPDX-License-Identifier: MIT */
#include "record/peers.h"

#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "record/http_request.h"
#include "record/record_log.h"

#define DNS_PORT 53
#define DNS_HEAD 12        /* bytes before the question (RFC 1035, 4.1.1) */
#define DNS_QUESTIONS_AT 4 /* how many there are */
#define DNS_NAME_MAX 255

/* --- tables --- */

static uint64_t hash_payload(const void *data, size_t bytes)
{
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ ((const uint8_t *)data)[i]) * 0x100000001b3;
	return hash ^ hash >> 32;
}

static struct network_address with_protocol(const struct network_address *address, uint8_t protocol)
{
	struct network_address result = *address;
	result.protocol = protocol;
	result.reserved = 0;
	return result;
}

/* Where an address is in the table, or would be. */
static size_t *place_of_address(const struct peers *peers, const struct network_address *address)
{
	size_t at = hash_payload(address, sizeof(*address)) & (peers->address_room - 1);
	while (peers->by_address[at] != PEERS_NONE &&
	       memcmp(&peers->remotes[peers->by_address[at]].address, address, sizeof(*address)))
		at = (at + 1) & (peers->address_room - 1);
	return &peers->by_address[at];
}

static size_t *place_of_number(const struct peers *peers, uint32_t number)
{
	size_t at = hash_payload(&number, sizeof(number)) & (peers->number_room - 1);
	while (peers->by_number[at] != PEERS_NONE && peers->conversations[peers->by_number[at]].number != number)
		at = (at + 1) & (peers->number_room - 1);
	return &peers->by_number[at];
}

/* Makes a table of twice the room, all empty. */
static bool grow_peer_table(size_t **table, size_t *room)
{
	size_t wanted = *room ? 2 * *room : 256, *grown = malloc(wanted * sizeof(*grown));
	if (!grown)
		return false;
	for (size_t i = 0; i < wanted; i++)
		grown[i] = PEERS_NONE;
	free(*table);
	*table = grown;
	*room = wanted;
	return true;
}

static bool make_room_for_address(struct peers *peers)
{
	if (!array_reserve(peers->remotes, peers->remote_room, peers->remote_count + 1))
		return false;
	if (2 * (peers->remote_count + 1) <= peers->address_room)
		return true;
	if (!grow_peer_table(&peers->by_address, &peers->address_room))
		return false;
	for (size_t i = 0; i < peers->remote_count; i++)
		*place_of_address(peers, &peers->remotes[i].address) = i;
	return true;
}

static bool make_room_for_number(struct peers *peers)
{
	if (!array_reserve(peers->conversations, peers->conversation_room, peers->conversation_count + 1))
		return false;
	if (2 * (peers->conversation_count + 1) <= peers->number_room)
		return true;
	if (!grow_peer_table(&peers->by_number, &peers->number_room))
		return false;
	for (size_t i = peers->numbered; i < peers->conversation_count; i++)
		*place_of_number(peers, peers->conversations[i].number) = i;
	return true;
}

struct peer_remote *peers_find(const struct peers *peers, const struct network_address *address, uint8_t protocol)
{
	const struct network_address key = with_protocol(address, protocol);
	size_t at = peers->address_room ? *place_of_address(peers, &key) : PEERS_NONE;
	return at == PEERS_NONE ? NULL : &peers->remotes[at];
}

static struct peer_remote *find_or_add(struct peers *peers, const struct network_address *address, uint8_t protocol)
{
	struct peer_remote *remote = peers_find(peers, address, protocol);
	if (remote || !make_room_for_address(peers))
		return remote;
	remote = &peers->remotes[peers->remote_count];
	*remote = (struct peer_remote){.address = with_protocol(address, protocol),
	                               .conversations = PEERS_NONE,
	                               .unused = PEERS_NONE,
	                               .exchanges = PEERS_NONE,
	                               .datagrams = PEERS_NONE};
	*place_of_address(peers, &remote->address) = peers->remote_count++;
	return remote;
}

static struct peer_conversation *find_conversation(const struct peers *peers, uint32_t number)
{
	size_t at = peers->number_room ? *place_of_number(peers, number) : PEERS_NONE;
	return at == PEERS_NONE ? NULL : &peers->conversations[at];
}

/* --- connections --- */

static int add_conversation(struct peers *peers, const struct record_network *entry)
{
	const struct network_record *record = &entry->record;
	struct peer_remote *remote = find_or_add(peers, &record->remote, IPPROTO_TCP);
	if (!remote || !make_room_for_number(peers))
		return -ENOMEM;
	size_t at = peers->conversation_count;
	struct peer_conversation *conversation = &peers->conversations[at];
	*conversation = (struct peer_conversation){.number = record->flow,
	                                           .local = record->local,
	                                           .remote = record->remote,
	                                           .raw_step = PEERS_NONE,
	                                           .exchange = PEERS_NONE,
	                                           .next = PEERS_NONE};
	size_t *place = place_of_number(peers, record->flow);
	if (*place != PEERS_NONE)
		return -EBADMSG;
	*place = at;
	peers->conversation_count++;
	if (record->op == NETWORK_CAME) {
		if (!array_reserve(peers->arrivals, peers->arrival_room, peers->arrival_count + 1))
			return -ENOMEM;
		conversation->is_decided = true;
		remote->is_client = true;
		peers->arrivals[peers->arrival_count++] = (struct peer_arrival){.conversation = at, .step = PEERS_NONE};
		return 0;
	}
	conversation->http = calloc(1, sizeof(*conversation->http));
	if (remote->conversations == PEERS_NONE)
		remote->conversations = remote->unused = at;
	else
		peers->conversations[remote->last_conversation].next = at;
	remote->last_conversation = at;
	return conversation->http ? 0 : -ENOMEM;
}

/* A request begins in the last step, and the one before it ends. */
static int begin_exchange(struct peers *peers, struct peer_conversation *conversation)
{
	struct http_request *http = conversation->http;
	struct peer_remote *remote = peers_find(peers, &conversation->remote, IPPROTO_TCP);
	if (!array_reserve(peers->exchanges, peers->exchange_room, peers->exchange_count + 1))
		return -ENOMEM;
	size_t at = peers->exchange_count++;
	if (conversation->exchange != PEERS_NONE)
		peers->exchanges[conversation->exchange].last = conversation->count;
	peers->exchanges[at] = (struct peer_exchange){.key = http->key,
	                                              .conversation = (size_t)(conversation - peers->conversations),
	                                              .first = conversation->count,
	                                              .last = SIZE_MAX,
	                                              .head_end = http->number,
	                                              .next = PEERS_NONE,
	                                              .following = PEERS_NONE};
	http->key = NULL;
	conversation->exchange = at;
	if (remote->exchanges == PEERS_NONE)
		remote->exchanges = at;
	else
		peers->exchanges[remote->last_exchange].next = at;
	remote->last_exchange = at;
	return 0;
}

/* Finds the step in which an offset of what the guest has sent lies. */
static void find_raw(struct peer_conversation *conversation, uint64_t offset)
{
	for (size_t i = 0; i < conversation->count; i++) {
		const struct peer_step *step = &conversation->steps[i];
		if (step->op != NETWORK_SEND || offset >= step->sent + step->bytes)
			continue;
		conversation->raw_step = i;
		conversation->raw_offset = (uint32_t)(offset - step->sent);
		return;
	}
}

/* Looks for requests in what the guest has sent: the last step. */
static int look_for_requests(struct peers *peers, struct peer_conversation *conversation, const uint8_t *payload,
                             size_t bytes)
{
	size_t done = 0, taken;
	int result = 0;
	while (!result && conversation->raw_step == PEERS_NONE) {
		enum http_found found = http_request_take(conversation->http, payload + done, bytes - done, &taken);
		done += taken;
		if (found == HTTP_MORE)
			break;
		if (found == HTTP_HEAD)
			result = begin_exchange(peers, conversation);
		else if (found == HTTP_RAW)
			find_raw(conversation, conversation->http->start);
		if (found == HTTP_RAW && conversation->exchange != PEERS_NONE)
			peers->exchanges[conversation->exchange].last = conversation->raw_step;
	}
	return result;
}

static int add_peer_step(struct peers *peers, struct peer_conversation *conversation,
                         const struct record_network *entry, const uint8_t *payload)
{
	const struct network_record *record = &entry->record;
	if (!array_reserve(conversation->steps, conversation->room, conversation->count + 1))
		return -ENOMEM;
	const struct peer_step *before = conversation->count ? &conversation->steps[conversation->count - 1] : NULL;
	struct peer_step *step = &conversation->steps[conversation->count++];
	*step = (struct peer_step){.op = (uint8_t)record->op,
	                           .bytes = record->bytes,
	                           .value = record->value,
	                           .payload_at = entry->payload_at,
	                           .redacted = peers->redacted};
	if (before) {
		step->sent = before->sent + (before->op == NETWORK_SEND ? before->bytes : 0);
		step->after_finish =
			before->after_finish || before->op == NETWORK_FINISH || before->op == NETWORK_CLOSE;
	}
	if (record->op == NETWORK_DATA) {
		conversation->has_answer = true;
		conversation->speaks_first |= !step->sent;
	}
	if (record->op == NETWORK_SEND && conversation->http)
		return look_for_requests(peers, conversation, payload, record->bytes);
	if (conversation->number < NETWORK_INCOMING || record->op < NETWORK_CONNECTED)
		return 0;
	if (!array_reserve(peers->arrivals, peers->arrival_room, peers->arrival_count + 1))
		return -ENOMEM;
	peers->arrivals[peers->arrival_count++] = (struct peer_arrival){
		.conversation = (size_t)(conversation - peers->conversations), .step = conversation->count - 1};
	return 0;
}

static int add_of_connection(struct peers *peers, const struct record_network *entry, const uint8_t *payload)
{
	struct peer_conversation *conversation = find_conversation(peers, entry->record.flow);
	if (!conversation)
		return -EBADMSG;
	switch (entry->record.op) {
	case NETWORK_CONNECTED:
		conversation->is_decided = true;
		conversation->error = entry->record.value;
		return 0;
	case NETWORK_SENT:
	case NETWORK_TAKEN:
		return 0;
	default:
		return add_peer_step(peers, conversation, entry, payload);
	}
}

struct peer_conversation *peers_first_unused(const struct peers *peers, struct peer_remote *remote)
{
	while (remote->unused != PEERS_NONE && peers->conversations[remote->unused].is_used)
		remote->unused = peers->conversations[remote->unused].next;
	return remote->unused == PEERS_NONE ? NULL : &peers->conversations[remote->unused];
}

/* --- datagrams --- */

const uint8_t *peers_question(const uint8_t *payload, size_t bytes, size_t *question_bytes)
{
	size_t at = DNS_HEAD;
	if (bytes < DNS_HEAD || payload[DNS_QUESTIONS_AT] || payload[DNS_QUESTIONS_AT + 1] != 1)
		return NULL;
	while (at < bytes && payload[at] && payload[at] < 64)
		at += payload[at] + 1U;
	if (at + 5 > bytes || payload[at] || at - DNS_HEAD > DNS_NAME_MAX)
		return NULL;
	*question_bytes = at + 5 - DNS_HEAD; /* with its end, type and class */
	return payload + DNS_HEAD;
}

bool peers_is_same_question(const uint8_t *a, size_t a_bytes, const uint8_t *b, size_t b_bytes)
{
	if (a_bytes != b_bytes || memcmp(a + a_bytes - 4, b + b_bytes - 4, 4))
		return false;
	for (size_t i = 0; i < a_bytes - 4; i++)
		if (tolower(a[i]) != tolower(b[i]))
			return false;
	return true;
}

static int add_datagram(struct peers *peers, const struct record_network *entry, const uint8_t *payload)
{
	const struct network_record *record = &entry->record;
	struct peer_remote *remote = find_or_add(peers, &record->remote, IPPROTO_UDP);
	if (!remote || !array_reserve(peers->datagrams, peers->datagram_room, peers->datagram_count + 1))
		return -ENOMEM;
	struct peer_datagram datagram = {.payload_at = entry->payload_at,
	                                 .redacted = peers->redacted,
	                                 .bytes = record->bytes,
	                                 .local_port = record->local.port,
	                                 .first_answer = PEERS_NONE,
	                                 .next = PEERS_NONE};
	const uint8_t *question = record->remote.port == DNS_PORT
	                                  ? peers_question(payload, record->bytes, &datagram.question_bytes)
	                                  : NULL;
	if (question) {
		datagram.question = malloc(datagram.question_bytes);
		if (!datagram.question)
			return -ENOMEM;
		memcpy(datagram.question, question, datagram.question_bytes);
		memcpy(&datagram.id, payload, sizeof(datagram.id));
	}
	size_t at = peers->datagram_count++;
	datagram.previous = remote->datagrams == PEERS_NONE ? PEERS_NONE : remote->last_datagram;
	peers->datagrams[at] = datagram;
	if (remote->datagrams == PEERS_NONE)
		remote->datagrams = at;
	else
		peers->datagrams[remote->last_datagram].next = at;
	remote->last_datagram = at;
	return 0;
}

/* The datagram of the guest that is answered: the last one between the two ports; of DNS, the one with the question. */
static struct peer_datagram *find_asked(const struct peers *peers, const struct peer_remote *remote,
                                        const struct network_record *record, const uint8_t *payload)
{
	size_t bytes;
	const uint8_t *question = peers_question(payload, record->bytes, &bytes);
	size_t last = remote->datagrams == PEERS_NONE ? PEERS_NONE : remote->last_datagram;
	for (size_t at = last; at != PEERS_NONE; at = peers->datagrams[at].previous) {
		struct peer_datagram *datagram = &peers->datagrams[at];
		if (datagram->local_port != record->local.port)
			continue;
		if (datagram->question &&
		    (!question || memcmp(&datagram->id, payload, sizeof(datagram->id)) ||
		     !peers_is_same_question(datagram->question, datagram->question_bytes, question, bytes)))
			continue;
		return datagram;
	}
	return NULL;
}

static int add_answer(struct peers *peers, const struct record_network *entry, const uint8_t *payload)
{
	const struct network_record *record = &entry->record;
	struct peer_remote *remote = find_or_add(peers, &record->remote, IPPROTO_UDP);
	if (!remote || !array_reserve(peers->answers, peers->answer_room, peers->answer_count + 1) ||
	    !array_reserve(peers->arrivals, peers->arrival_room, peers->arrival_count + 1))
		return -ENOMEM;
	struct peer_datagram *asked = find_asked(peers, remote, record, payload);
	if (!asked) {
		remote->is_client = true;
		peers->arrivals[peers->arrival_count++] = (struct peer_arrival){.conversation = PEERS_NONE,
		                                                                .local = record->local,
		                                                                .remote = record->remote,
		                                                                .payload_at = entry->payload_at,
		                                                                .redacted = peers->redacted,
		                                                                .bytes = record->bytes};
		return 0;
	}
	size_t at = peers->answer_count++;
	remote->has_answer = true;
	if (asked->first_answer == PEERS_NONE)
		asked->first_answer = at;
	else
		peers->answers[asked->last_answer].next = at;
	asked->last_answer = at;
	peers->answers[at] = (struct peer_answer){entry->payload_at, record->bytes, peers->redacted, PEERS_NONE};
	return 0;
}

/* --- reading --- */

static int add_peer_record(struct peers *peers, const struct record_network *entry, const uint8_t *payload)
{
	switch (entry->record.op) {
	case NETWORK_CONNECT:
	case NETWORK_CAME:
		return add_conversation(peers, entry);
	case NETWORK_DATAGRAM:
		return add_datagram(peers, entry, payload);
	case NETWORK_DATAGRAM_CAME:
		return add_answer(peers, entry, payload);
	case NETWORK_LISTEN:
	case NETWORK_UNLISTEN:
	case NETWORK_FORGET:
	case NETWORK_TIME:
	case NETWORK_DATAGRAM_REFUSED:
		return 0;
	default:
		return add_of_connection(peers, entry, payload);
	}
}

/* The records of a later run follow. */
static void begin_run(struct peers *peers)
{
	peers->numbered = peers->conversation_count;
	for (size_t i = 0; i < peers->number_room; i++)
		peers->by_number[i] = PEERS_NONE;
}

static void finish_peers(struct peers *peers)
{
	for (size_t i = 0; i < peers->exchange_count; i++) {
		struct peer_exchange *exchange = &peers->exchanges[i];
		size_t count = peers->conversations[exchange->conversation].count;
		exchange->last = exchange->last < count ? exchange->last : count;
	}
	for (size_t i = 0; i < peers->conversation_count; i++) {
		struct peer_conversation *conversation = &peers->conversations[i];
		if (conversation->http)
			http_request_free(conversation->http);
		free(conversation->http);
		conversation->http = NULL;
	}
}

int peers_read(struct peers **out, struct replay *replay, struct error *error)
{
	struct peers *peers = calloc(1, sizeof(*peers));
	uint8_t *payload = malloc(NETWORK_PAYLOAD_MAX);
	struct replay_block block;
	int result = peers && payload ? 1 : -ENOMEM;
	*out = peers;
	replay_rewind(replay);
	while (result > 0) {
		struct record_network entry;
		result = replay_next(replay, &block);
		replay->redacted.is |= result > 0 && block.kind == RECORD_REDACTED;
		if (result > 0 && block.kind == RECORD_ADDED)
			begin_run(peers);
		if (result > 0 && block.kind == RECORD_REDACTED)
			peers->redacted = block.data;
		if (result <= 0 || block.kind != RECORD_NETWORK) /* standard input is of no peer */
			continue;
		memcpy(&entry, block.data, sizeof(entry));
		result = replay_payload(replay, &entry, payload);
		if (result)
			break;
		result = add_peer_record(peers, &entry, payload);
		peers->redacted = NULL;
		result = result ? result : 1;
		if (result == -EBADMSG)
			error_set(&replay->error, EBADMSG, "its requests and events do not fit together");
	}
	free(payload);
	if (peers)
		finish_peers(peers);
	if (result == -EBADMSG)
		return error_set(error, EBADMSG, "cannot use the recording %.60s: %.160s", replay->dir,
		                 replay->error.text);
	return result ? error_set(error, -result, "out of memory for the recording") : 0;
}

void peers_free(struct peers *peers)
{
	if (!peers)
		return;
	for (size_t i = 0; i < peers->conversation_count; i++)
		free(peers->conversations[i].steps);
	for (size_t i = 0; i < peers->exchange_count; i++)
		free(peers->exchanges[i].key);
	for (size_t i = 0; i < peers->datagram_count; i++)
		free(peers->datagrams[i].question);
	free(peers->conversations);
	free(peers->exchanges);
	free(peers->datagrams);
	free(peers->answers);
	free(peers->remotes);
	free(peers->arrivals);
	free(peers->by_address);
	free(peers->by_number);
	free(peers);
}
