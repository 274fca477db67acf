/* SPDX-License-Identifier: MIT */
/* The peers of --replay-net: shared by the files that implement them. */
#ifndef HYPERVISOR_NET_PEER_H
#define HYPERVISOR_NET_PEER_H

#include "net/net_state.h"
#include "record/http_request.h"
#include "record/peers.h"

#define NET_PEER_LISTS 1024

enum net_peer_mode {
	NET_PEER_UNBOUND, /**< the guest has not sent enough to choose a conversation */
	NET_PEER_BOUND,   /**< to a conversation, in which both sides go on */
	NET_PEER_HTTP,    /**< each request takes an exchange */
};

/** A connection of the guest. */
struct net_peer {
	struct net_peer *next; /**< in the list of its number */
	uint32_t number;
	struct network_address local, remote;
	enum net_peer_mode mode;
	bool has_finished; /**< the guest has sent its end */
	bool has_ended;    /**< the peer has */
	bool is_broken;    /**< the peer has reset it, and the guest has forgotten it */
	bool is_new;       /**< the peer has not answered: another conversation may still fit */
	bool is_leaving;   /**< the recording lacks what the guest has sent, which is in `early`: when
	                      the guest has the answers to what was before, it goes to the network */
	uint64_t untaken;  /**< bytes that the guest's program has not read */
	uint64_t sent;     /**< bytes of the conversation that the guest has sent */
	struct peer_conversation *conversation; /**< of BOUND; or NULL */
	size_t send_step, give_step;            /**< the next ones of either side */
	uint32_t send_offset;                   /**< in send_step */
	size_t first_exchange, last_exchange;   /**< of HTTP: those that are not answered yet; PEERS_NONE: none */
	size_t known_exchange;                  /**< the last one, answered or not */
	struct http_request http;
	uint8_t *early; /**< what the guest has sent while the peer is new, or while it is leaving */
	size_t early_bytes, early_room;
};

#define NET_PEER_ASKED 288 /* bytes: the head and the question of a query of DNS */

/** A datagram of a peer that the guest will get. */
struct net_answer {
	size_t answer; /**< of the recording */
	struct network_address local, remote;
	size_t asked_bytes; /**< of DNS; otherwise 0 */
	uint8_t asked[NET_PEER_ASKED];
};

struct net_peers {
	struct peers *recorded;
	struct net_peer *lists[NET_PEER_LISTS];
	unsigned listeners[65536];  /**< by port */
	size_t arrival;             /**< the next one */
	uint64_t waited_ns, waits;  /**< since the last request: virtual time that passed while all threads waited, and
	                               how often they did */
	struct net_answer *answers; /**< answers[first_answer, answer_count) */
	size_t first_answer, answer_count, answer_room;
	unsigned connections;
	uint64_t look, moment;                /**< of the guest's last request */
	uint64_t early_bytes;                 /**< of all connections */
	uint8_t payload[NETWORK_PAYLOAD_MAX]; /**< read from the recording */
};

/* --- net_peers.c --- */

/** Finds the connection that has a number. Returns NULL if none has it. */
struct net_peer *net_peer_find(struct net *net, uint32_t number);
void net_peer_drop(struct net *net, struct net_peer *peer);

/** Puts an event of the recording into the ring: one without payload, and one whose payload is there already. */
void net_peer_put(struct net *net, const struct network_record *event);
void net_peer_commit(struct net *net, const struct network_record *event);

/** Puts an event of a connection into the ring. */
void net_peer_tell(struct net *net, uint32_t number, enum network_op op, int value);

/** The recording has nothing for a request: ends the run. */
void net_peer_miss(struct net *net, const char *request, const struct network_address *remote);

/* --- net_peer_pass.c --- */

/** Whether what the recording lacks goes to the network. */
bool net_peer_passes(const struct net *net);

/** Bytes of a connection that are kept until its peer is known: `otherwise` if they cannot go to the network. */
size_t net_peer_held_max(const struct net *net, size_t otherwise);

/** Performs a request of something that is on the network, if anything may be; and a first request, which is counted.
 */
void net_peer_pass(struct net *net, const struct network_record *request, const uint8_t *payload);
void net_peer_pass_new(struct net *net, const struct network_record *request, const uint8_t *payload);

/** A connection leaves the recording: head and data are the first bytes that the recording lacks. */
void net_peer_leave(struct net *net, struct net_peer *peer, const uint8_t *head, size_t head_bytes, const uint8_t *data,
                    size_t bytes);

/** Keeps further bytes of a connection that is leaving. */
void net_peer_hold(struct net *net, struct net_peer *peer, const uint8_t *data, size_t bytes);

/** Has a connection that is leaving go to the network, if it can now. Returns whether it has: it is gone then. */
bool net_peer_has_left(struct net *net, struct net_peer *peer);

/* --- net_peer_choose.c --- */

/** Binds a connection to the first conversation that begins with what the guest has sent. Returns whether there is one.
 */
bool net_peer_bind(struct net *net, struct net_peer *peer);

/** The guest has sent its end. The connection may be gone after it. */
void net_peer_finish(struct net *net, struct net_peer *peer);

/** Takes what the guest sends. The connection may be gone after it. */
void net_peer_send(struct net *net, struct net_peer *peer, const uint8_t *data, size_t bytes);

/* --- net_peer_give.c --- */

/** Reads payload of the recording. Returns false, and ends the run, if it cannot. */
bool net_peer_read(struct net *net, uint64_t at, uint8_t *to, size_t bytes);

/** Puts an event with payload of the recording into the ring. Returns false if that has no room now. */
bool net_peer_give_payload(struct net *net, struct network_record *event, uint64_t payload_at, uint32_t bytes);

/** Does what the peer does in a step. Returns false if that must wait for room. */
bool net_peer_give(struct net *net, struct net_peer *peer, const struct peer_step *step);

/** Does all that is due. is_idle: also one thing that the recorded guest got after it had sent more. Returns whether
 * the peer has done something. The connection may be gone after it. */
bool net_peer_go_on(struct net *net, struct net_peer *peer, bool is_idle);

/* --- net_peer_datagram.c --- */

/** Answers a datagram of the guest. */
void net_peer_datagram(struct net *net, const struct network_record *request, const uint8_t *payload);

/** Gives the next answers: as many as a receive buffer holds, so that none is lost while the program is slow. Returns
 * whether there were any. */
bool net_peer_give_datagrams(struct net *net);

#endif
