/* SPDX-License-Identifier: MIT */
/* What comes from outside a guest at moments that the host decides: performs the guest's requests (abi/network.h) with
 * sockets of the host and, when the guest gets it as events, with standard input.
 *
 * The thread that runs the guest does so when the guest waits. While the guest runs, a second thread does it once a
 * millisecond. */
#ifndef HYPERVISOR_NET_H
#define HYPERVISOR_NET_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/stats.h"
#include "base/error.h"
#include "guest/host_memory.h"
#include "net/net_address.h"
#include "net/net_rules.h"

/** A port of the guest that programs of the host can reach (--publish). */
struct net_publish {
	uint8_t protocol; /**< IPPROTO_TCP or IPPROTO_UDP */
	uint16_t port;    /**< the guest's */
	union net_sockaddr address;
	int fd; /**< bound; -1: not opened yet */
};

/** What --replay-net does with what the recording has no answer to (--replay-miss). */
enum net_miss {
	NET_MISS_STOPS,   /**< it ends the run */
	NET_MISS_REFUSED, /**< it is refused */
	NET_MISS_PASSES,  /**< it goes to the network */
};

/** What went to the network because the recording has no answer to it: connections, questions to name servers, other
 * datagrams. */
struct net_misses {
	uint64_t connections, questions, datagrams;
};

struct net_config {
	bool has_route;              /**< --net host */
	bool jumps;                  /**< --net-time=jump */
	bool has_input;              /**< standard input comes as events */
	bool has_terminal;           /**< with has_input: it is the guest's terminal */
	struct recording *recording; /**< --record, or what has_peers lacks: where to record; or NULL */
	struct replay *replay;       /**< --replay or --replay-net: what to replay; or NULL */
	bool has_peers;              /**< --replay-net: `replay` gives the peers, and the guest may do other things */
	enum net_miss miss;          /**< of has_peers */
	const char *rules_text;      /**< what follows `host` in --net */
	uint64_t files_max;          /**< descriptors that may be open; set by net_publish_open */
	/** Tells the user, once, that further connections wait: so many sockets are open. NULL: tells nobody. */
	void (*crowded)(unsigned sockets);
	struct net_rules rules;
	struct net_publish published[NETWORK_PUBLISHED_MAX];
	unsigned published_count;
};

struct net;
struct record_mark;
struct recording;
struct replay;

/** Why a run with a network cannot go on. */
enum net_end {
	NET_GOES_ON,
	NET_FAILS,   /**< an error, or a request that no kernel makes */
	NET_DIFFERS, /**< a replay: the program does something else than in the recording */
	NET_IS_OVER, /**< a replay: the recording was cut off here */
};

/** Whether a run has a network outside. Without one there may still be standard input. */
bool net_is_wanted(const struct net_config *config);

/** Whether a run may use sockets of the host: a replay does so only for what its recording lacks. */
bool net_has_sockets(const struct net_config *config);

/** Opens and binds the published ports, raises the limit of open files, and replaces a port 0 of the host by the one
 * that it chose. Returns 0, or a negative errno with one line in *error. */
int net_publish_open(struct net_config *config, struct error *error);

/** Makes the network of one run, with the area that the guest shares. The guest has ram_bytes of memory. Returns 0, or
 * a negative errno with one line in *error. */
int net_open(struct net **net, const struct net_config *config, uint64_t ram_bytes, host_memory_reserve *reserve,
             struct error *error);

/** The shared area, for the engine to show at LAYOUT_NETWORK. */
const struct host_memory *net_area(const struct net *net);

/** The descriptor of the network that stays open when the monitor is confined, besides the published ports. */
int net_descriptor(const struct net *net);

/**
 * The guest waits, for wait_ns at most (UINT64_MAX: for ever), until there is an event. is_stopped: whether the run is
 * to stop. Returns 0, -EINTR after a stop, or -EPROTO with net_error.
 */
int net_wait(struct net *net, uint64_t look, uint64_t wait_ns, bool (*is_stopped)(void));

/** Has *flag set to 1, in the guest's memory, after a key that makes a signal was given to the guest. */
void net_interrupt_by(struct net *net, uint64_t *flag);

/** Adds a mark to the recording, behind all that the guest has requested and was given before. Any thread can call it.
 */
void net_mark(struct net *net, const struct record_mark *mark);

/** Performs the guest's requests. Returns 0, or -EPROTO with net_error. */
int net_turn(struct net *net);

/** Why the run cannot go on, with one line. */
enum net_end net_error(const struct net *net, const char **line);

/** Starts the second thread, before the guest runs. Returns 0, or -EPROTO with net_error. */
int net_start(struct net *net);

/** After the guest has ended: sends what it has sent, unless stopped, and closes all; accepts NULL. Stores the
 * addresses that the rules have forbidden: the first ones, each once; the rest is 0. Stores what the recording lacked.
 */
void net_close(struct net *net, bool (*is_stopped)(void), struct network_address forbidden[STATS_OUTSIDE],
               struct net_misses *misses);

#endif
