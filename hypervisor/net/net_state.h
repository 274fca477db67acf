/* SPDX-License-Identifier: MIT */
/* The state of the network outside, shared by the files that implement it. Its lock is held in all of their functions
 * but those of net.h. */
#ifndef HYPERVISOR_NET_STATE_H
#define HYPERVISOR_NET_STATE_H

#include <pthread.h>

#include "net/net.h"

#define NET_FLOW_LISTS 4096
#define NET_PORT_LISTS 256

enum net_kind { NET_FLOW, NET_LISTENER, NET_PORT };

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
	bool has_ended;    /**< the peer has sent its end */
	bool is_finishing; /**< the guest has sent its end; the host is told when `unsent` is empty */
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
	bool asks_resolver; /**< it has sent to the name server of the guest's network */
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
	struct net_flow *flows[NET_FLOW_LISTS];
	unsigned flow_count;
	struct net_port *ports[NET_PORT_LISTS];
	struct net_listener listeners[NETWORK_PUBLISHED_MAX];
	unsigned listener_count;
	uint32_t last_incoming;
	bool is_short_of_descriptors; /**< listeners wait until a flow is closed */
	char error[256];
};

/** Ends the run with a message; only the first one is kept. Returns -EPROTO. */
int net_fail(struct net *net, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Changes what epoll(7) reports of a socket. */
void net_watch(struct net *net, struct net_source *source, uint32_t events);

/* --- net_ring.c --- */

/** Copies the next request; its payload is at most NETWORK_PAYLOAD_MAX bytes at *payload, in memory that the guest can
 * change. Returns 1, 0 if there is none, or -EPROTO. net_ring_done frees its place. */
int net_ring_request(struct net *net, struct network_record *request, const uint8_t **payload);
void net_ring_done(struct net *net, const struct network_record *request);

/** Puts an event without payload into the ring. */
void net_ring_put(struct net *net, const struct network_record *event);

/** Room for the payload of the next event, in the ring; NULL: there is none now. *room: its size, at most
 * NETWORK_PAYLOAD_MAX. net_ring_commit puts the event into the ring. */
uint8_t *net_ring_reserve(struct net *net, size_t least, size_t *room);
void net_ring_commit(struct net *net, const struct network_record *event);

/** Whether the guest has events that it has not taken. */
bool net_ring_has_events(struct net *net);

/* --- net_flow.c --- */

void net_flow_request(struct net *net, const struct network_record *request, const uint8_t *payload);
void net_flow_event(struct net *net, struct net_flow *flow, uint32_t events);
void net_flow_accept(struct net *net, struct net_listener *listener);
void net_flow_begin(struct net *net);
/** Looks again at all flows that had no room. */
void net_flow_resume(struct net *net);
/** Whether something that the guest has sent waits for the host. */
bool net_flow_has_unsent(const struct net *net);
void net_flow_close_all(struct net *net);

/* --- net_datagram.c --- */

void net_datagram_request(struct net *net, const struct network_record *request, const uint8_t *payload);
void net_datagram_event(struct net *net, struct net_port *port);
int net_datagram_begin(struct net *net);
void net_datagram_close_all(struct net *net);

#endif
