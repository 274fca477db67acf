/* SPDX-License-Identifier: MIT */
/* What the peers of a recorded run did, by peer: for --replay-net, in which the program may do other things than in the
 * recording, and gets from each peer what that peer has answered. */
#ifndef HYPERVISOR_PEERS_H
#define HYPERVISOR_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/recording.h"

#define PEERS_NONE SIZE_MAX /* instead of an index */

/** A part of a conversation, in the order of the recorded guest. */
struct peer_step {
	uint8_t op;        /**< SEND, FINISH or CLOSE of the guest; DATA, ENDED or RESET of the peer */
	bool after_finish; /**< of the peer: the guest had sent its end */
	uint32_t bytes;
	int32_t value;           /**< of RESET: an errno */
	uint64_t payload_at;     /**< in the capture */
	uint64_t sent;           /**< bytes that the guest had sent on this connection before */
	const uint8_t *redacted; /**< what --redact replaced in it (replay_note_given), or NULL */
};

/** A connection. */
struct peer_conversation {
	uint32_t number; /**< NETWORK_INCOMING and above: it came from outside */
	struct network_address local, remote;
	bool is_decided;   /**< CONNECTED or CAME */
	int error;         /**< of CONNECTED */
	bool has_answer;   /**< the peer has sent something */
	bool speaks_first; /**< the peer has sent before the guest */
	bool is_used;
	struct peer_step *steps;
	size_t count, room;
	size_t raw_step; /**< behind the last request of HTTP: where what is no request begins; PEERS_NONE: nowhere */
	uint32_t raw_offset;       /**< in that step */
	struct http_request *http; /**< while the recording is read */
	size_t exchange;           /**< the last one */
	size_t next;               /**< of its remote */
};

/** A request of HTTP and what was answered: the peer's steps among steps[first, last) of its conversation. */
struct peer_exchange {
	char *key; /**< http_request.key */
	size_t conversation, first, last;
	uint64_t head_end; /**< bytes sent on the connection when the head was complete */
	size_t next;       /**< of its remote */
	bool is_used;      /**< a guest has made this request */
	bool has_head;     /**< the guest of this run has sent the head of the request */
	bool has_request;  /**< and all of it */
	size_t following;  /**< the guest's next request on the same connection; PEERS_NONE: none yet */
};

/** A datagram of the guest and those that answered it. */
struct peer_datagram {
	uint64_t payload_at;
	uint32_t bytes;
	const uint8_t *redacted; /**< as in struct peer_step */
	uint8_t *question;       /**< of DNS: question_bytes bytes; or NULL; owned */
	size_t question_bytes;
	uint16_t local_port, id; /**< id: of DNS */
	bool is_used;
	size_t first_answer, last_answer;
	size_t next, previous; /**< of its remote */
};

struct peer_answer {
	uint64_t payload_at;
	uint32_t bytes;
	const uint8_t *redacted; /**< as in struct peer_step */
	size_t next;             /**< to the same datagram */
};

/** An address that the guest had to do with. */
struct peer_remote {
	struct network_address address; /**< with a protocol */
	bool is_client;                 /**< it has connected to the guest, or sent a datagram that answers none */
	bool has_answer;                /**< of UDP: it has answered a datagram */
	/** Lists; PEERS_NONE ends them. */
	size_t conversations, last_conversation;
	size_t unused; /**< the first conversation that may be unused */
	size_t exchanges, last_exchange;
	size_t datagrams, last_datagram;
};

/** What a client did by itself, in the order of the recorded guest. */
struct peer_arrival {
	size_t conversation, step; /**< step PEERS_NONE: the connection comes. conversation PEERS_NONE: a datagram */
	struct network_address local, remote;
	uint64_t payload_at;
	uint32_t bytes;
	const uint8_t *redacted; /**< of a datagram: as in struct peer_step */
};

struct peers {
	struct peer_conversation *conversations;
	struct peer_exchange *exchanges;
	struct peer_datagram *datagrams;
	struct peer_answer *answers;
	struct peer_remote *remotes;
	struct peer_arrival *arrivals;
	size_t conversation_count, exchange_count, datagram_count, answer_count, remote_count, arrival_count;
	size_t conversation_room, exchange_room, datagram_room, answer_room, remote_room, arrival_room;
	size_t *by_address,
		*by_number; /**< hash tables of indices of remotes and conversations, with open addressing */
	size_t address_room, number_room;
	const uint8_t *redacted; /**< while the recording is read: of the next record; or NULL */
	size_t numbered;         /**< the first conversation of the run that is being read: each numbers its own */
};

/** Reads a recording. Returns 0, or -ENOMEM or -EBADMSG with one line in *error. */
int peers_read(struct peers **peers, struct replay *replay, struct error *error);

/** Accepts NULL. */
void peers_free(struct peers *peers);

/** The remote of an address and a protocol of IP; NULL: the recording has none. */
struct peer_remote *peers_find(const struct peers *peers, const struct network_address *address, uint8_t protocol);

/** The first conversation of a remote that was not used; NULL: all were. */
struct peer_conversation *peers_first_unused(const struct peers *peers, struct peer_remote *remote);

/** Finds the question in a query or an answer of DNS, and stores its length. Returns NULL if the payload has no
 * question. */
const uint8_t *peers_question(const uint8_t *payload, size_t bytes, size_t *question_bytes);

/** Whether two questions are the same; DNS does not distinguish case. */
bool peers_is_same_question(const uint8_t *a, size_t a_bytes, const uint8_t *b, size_t b_bytes);

#endif
