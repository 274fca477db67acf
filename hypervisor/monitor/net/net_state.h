/* SPDX-License-Identifier: MIT */
/* The state of the network outside, shared by the files that implement it. Its lock is held in all of their functions
 * but those of net.h. */
#ifndef HYPERVISOR_NET_STATE_H
#define HYPERVISOR_NET_STATE_H

#include <pthread.h>

#include "base/error.h"
#include "net/net.h"
#include "net/net_limits.h"

#define NET_FLOW_LISTS 4096
#define NET_PORT_LISTS 256
#define NET_PEERS 4096 /* a power of 2 */

enum net_kind { NET_FLOW, NET_LISTENER, NET_PORT, NET_INPUT };

/** A socket of the host; epoll(7) leads back to it. The first member of what has one. */
struct net_source {
	enum net_kind kind;
	int fd;
	uint32_t events; /**< those registered; 0: not registered */
};

/** A connection. */
struct net_flow {
	struct net_source source;
	struct net_flow *next; /**< in the list of its number */
	uint32_t number;
	bool is_connecting;
	bool was_told;     /**< the guest was told that it is connected: the recording has its start */
	uint64_t told;     /**< bytes of which the guest was told that they are sent, which they are not yet */
	bool has_ended;    /**< the peer has sent its end */
	bool is_broken;    /**< the host takes no more bytes */
	bool is_finishing; /**< the guest sends no more; the host learns that when `unsent` is empty */
	bool is_closing;   /**< the guest has closed it: it goes when `unsent` is empty */
	uint64_t untaken;  /**< bytes given to the guest that its program has not read */
	struct net_bytes {
		uint8_t *data;
		size_t start, end, room;
	} unsent; /**< data[start, end): what the host has not taken */
};

/** A published port of TCP. */
struct net_listener {
	struct net_source source;
	uint16_t port;
	unsigned listeners; /**< sockets of the guest that listen there */
};

/** The socket of a port of UDP, for one family of addresses. */
struct net_port {
	struct net_source source;
	struct net_port *next; /**< in the list of its port */
	struct network_address local;
	int family;
	bool is_published;
	bool asks_resolver;            /**< it has sent to the name server of the guest's network */
	struct network_address *peers; /**< of a published port: who has sent to it, NET_PEERS entries by a hash */
};

/** Standard input. */
struct net_input {
	struct net_source source;
	bool is_open;        /**< the guest has asked for it */
	bool is_file;        /**< epoll(7) cannot wait for it: it can always be read */
	bool has_ended;      /**< the guest was given its end */
	uint64_t asked;      /**< bytes that the guest wants and was not given */
	uint64_t *interrupt; /**< net_interrupt_by, or NULL */
};

/** An event in the ring. */
struct net_pending {
	struct network_record record;
	uint64_t position;
	bool is_repeated; /**< it comes from a recording, and is not recorded again */
};

struct net {
	const struct net_config *config;
	struct host_memory memory;
	struct network_area *area;
	int epoll;
	pthread_mutex_t lock;
	pthread_t thread;
	bool has_thread, ends; /**< `ends`: the thread must end */
	bool guest_waits;
	bool is_full;           /**< the ring had no room for data; looked at again when the guest has taken some */
	uint64_t requests_tail; /**< the monitor's own positions: those in the area are copies */
	uint64_t events_head;
	uint64_t wakes;  /**< position behind the last event that ends a wait by itself: any but SENT */
	uint64_t passed; /**< bytes skipped before events_head, without an event behind them */
	struct net_flow *flows[NET_FLOW_LISTS];
	unsigned flow_count, port_count;
	struct net_limits limits;
	struct net_port *ports[NET_PORT_LISTS];
	struct net_listener listeners[NETWORK_PUBLISHED_MAX];
	unsigned listener_count;
	struct net_input input;
	uint32_t last_incoming;
	bool is_short_of_descriptors; /**< listeners wait until a socket is closed */
	struct net_pending *pending;  /**< with a recording: events that were not recorded yet, pending[first, last) */
	size_t pending_first, pending_last, pending_room;
	uint64_t recorded; /**< position in the ring of events: what comes before was recorded */
	struct network_address forbidden[STATS_OUTSIDE];
	uint8_t copy[NETWORK_PAYLOAD_MAX]; /**< with a recording or its peers: the payload of a request */
	struct net_reading *reading;       /**< of --replay */
	struct net_peers *peers;           /**< of --replay-net */
	bool is_repeating;                 /**< the event that is put into the ring comes from `peers` */
	struct net_misses misses;
	enum net_end end; /**< why the run cannot go on, with `error` */
	struct error error;
};

/** Ends the run with a message; only the first one is kept. Returns -EPROTO. */
int net_fail(struct net *net, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Ends a replay. Returns -EPROTO. */
int net_stop(struct net *net, enum net_end end, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/** Whether the guest may reach an address; notes one that it may not. */
bool net_permits(struct net *net, const struct network_address *to, uint8_t protocol);

/** Performs a request of the guest with sockets of the host. */
void net_perform(struct net *net, const struct network_record *request, const uint8_t *payload);

/** Listens again to all that was not heard for want of room. */
void net_hear_again(struct net *net);

/** Whether another socket may be opened. Tells the user the first time that the limit is reached. */
bool net_has_descriptor(struct net *net);

/** Whether a request says only how much the guest reads. A recording lacks those: they follow from its events. */
static inline bool net_is_reading(const struct network_record *request)
{
	return request->op == NETWORK_TAKEN || request->op == NETWORK_ASK;
}

/** Changes what epoll(7) reports of a socket. */
void net_watch(struct net *net, struct net_source *source, uint32_t events);

/* --- net_ring.c --- */

/** The position up to which the guest has made requests. */
uint64_t net_ring_requested(struct net *net);

/** Copies the next request before `head`, which net_ring_requested has returned. Its payload is at *payload, in memory
 * that the guest can change. Returns 1; 0 if there is no request; -EPROTO for one that no kernel makes. net_ring_done
 * frees the request's place. */
int net_ring_request(struct net *net, uint64_t head, struct network_record *request, const uint8_t **payload);
void net_ring_done(struct net *net, const struct network_record *request);

/** Puts an event without payload into the ring. */
void net_ring_put(struct net *net, const struct network_record *event);

/** Returns where in the ring the payload of the next event goes, and stores how many bytes fit there in *room. Returns
 * NULL if `least` bytes have no room now. net_ring_commit puts the event into the ring. */
uint8_t *net_ring_reserve(struct net *net, size_t least, size_t *room);
void net_ring_commit(struct net *net, const struct network_record *event);

/** Whether there is room for the events of one turn. Otherwise nothing more is heard until the guest has taken some. */
bool net_ring_has_room(struct net *net);

/** Whether the guest has events that it has not taken. */
bool net_ring_has_events(struct net *net);

/** Whether it has one that ends a wait. */
bool net_ring_wakes(struct net *net);

/** The payload of an event in the ring, which the guest can change, and the look and moment at which it took it. */
const uint8_t *net_ring_payload(struct net *net, uint64_t position);
void net_ring_when(struct net *net, uint64_t position, struct network_record *record);

/** Copies the header of the first event that the guest has not taken. */
void net_ring_next(struct net *net, struct network_record *event);

/** The position up to which the guest has taken events. */
uint64_t net_ring_taken(struct net *net);

/* --- net_record.c: with a recording --- */

/** Notes an event that is put into the ring. */
void net_record_note(struct net *net, const struct network_record *event, uint64_t position);

/** Records the events before a position in the ring that were taken at a look up to `look`. */
void net_record_taken(struct net *net, uint64_t position, uint64_t look);

/** Records a request, after the events that the guest has taken before it. */
void net_record_request(struct net *net, const struct network_record *request, const uint8_t *payload);

/* --- net_replay.c --- */

/** Begins and ends a replay. net_replay_begin returns 0 or -ENOMEM; net_replay_end does nothing without one. */
int net_replay_begin(struct net *net);
void net_replay_end(struct net *net);

/** Puts events into the ring, as far as there is room. */
void net_replay_feed(struct net *net);

/** Compares a request with the recording's. */
void net_replay_compare(struct net *net, const struct network_record *request, const uint8_t *payload);

/** The guest waits at a look: the recording has an event there, or the replay ends. */
void net_replay_wait(struct net *net, uint64_t look);

#define NET_SHOWN 24 /**< bytes of a difference that are shown */
#define NET_TEXT_BYTES (4 * NET_SHOWN + 1)

/** Writes the first bytes as text: what cannot be printed as \xNN. */
void net_show(char text[NET_TEXT_BYTES], const uint8_t *data, size_t bytes);

/* --- peers/net_peers.c --- */

/** Begins and ends the peers of --replay-net. net_peers_begin returns 0, or a negative errno with one line in *error;
 * net_peers_end does nothing without them. */
int net_peers_begin(struct net *net, struct error *error);
void net_peers_end(struct net *net);

/** Performs a request of the guest. */
void net_peers_request(struct net *net, const struct network_record *request, const uint8_t *payload);

/** Puts more events into the ring, if it had no room for them. */
void net_peers_turn(struct net *net);

/** The guest waits, for most_ns at most: puts an event into the ring, or ends the run if none can come any more. */
void net_peers_wait(struct net *net, uint64_t most_ns);

/* --- net_flow.c --- */

/** Performs a request of the guest for a flow or a published port. */
void net_flow_request(struct net *net, const struct network_record *request, const uint8_t *payload);
/** Whether a connection is open. */
bool net_flow_is_open(struct net *net, uint32_t number);

/** Handles what epoll(7) reports of a flow, and of a published port. */
void net_flow_event(struct net *net, struct net_flow *flow, uint32_t events);
void net_flow_accept(struct net *net, struct net_listener *listener);

/** Accepts connections again, after a descriptor has become free. */
void net_flow_begin(struct net *net);

/** Looks again at all flows that had no room. */
void net_flow_resume(struct net *net);

/** Whether something that the guest has sent waits for the host. */
bool net_flow_has_unsent(const struct net *net);

/**
 * Opens a connection for which a recording has answered so far: the guest was told that it is connected and that
 * `bytes` are sent, and its program has not read `untaken` bytes. `request` is a CONNECT. If the connection cannot be
 * opened, the guest finds it broken.
 */
void net_flow_adopt(struct net *net, const struct network_record *request, uint64_t untaken, const uint8_t *data,
                    size_t bytes);

/** Closes all flows. */
void net_flow_close_all(struct net *net);

/* --- net_datagram.c --- */

/** Performs a request of the guest for a port. */
void net_datagram_request(struct net *net, const struct network_record *request, const uint8_t *payload);

/** Receives what has come for a port. */
void net_datagram_event(struct net *net, struct net_port *port);

/** Opens the published ports. Returns 0 or -ENOMEM. */
int net_datagram_begin(struct net *net);

/** Closes all ports but the published ones, which are the configuration's. */
void net_datagram_close_all(struct net *net);

/* --- net_input.c --- */

/** The guest wants more bytes of standard input. */
void net_input_request(struct net *net, const struct network_record *request);

/** Reads standard input, which can be read. */
void net_input_event(struct net *net);

/** Reads standard input if it is a file, for which nothing can wait. */
void net_input_turn(struct net *net);

/** Listens again, after the ring had no room. */
void net_input_resume(struct net *net);

#endif
