/* SPDX-License-Identifier: MIT */
#include "net/net.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "abi/layout.h"
#include "base/beside.h"
#include "base/jitter.h"
#include "guest/guest_memory.h"
#include "net/net_state.h"
#include "record/recording.h"

#define EVENTS_AT_ONCE 64
#define SLICE_NS 1000000000UL    /* an error of the second thread is seen after this time */
#define TURN_NS 1000000UL        /* while the guest runs: between turns of the second thread */
#define REST_NS 16000000UL       /* while it waits: between looks whether it runs again */
#define FAREWELL_NS 5000000000UL /* how long what a guest has sent may take after its end */

static uint64_t now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void stop_net(struct net *net, enum net_end end, const char *fmt, va_list args)
{
	if (net->end != NET_GOES_ON)
		return;
	net->end = end;
	vsnprintf(net->error.text, sizeof(net->error), fmt, args);
}

int net_fail(struct net *net, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	stop_net(net, NET_FAILS, fmt, args);
	va_end(args);
	return -EPROTO;
}

int net_stop(struct net *net, enum net_end end, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	stop_net(net, end, fmt, args);
	va_end(args);
	return -EPROTO;
}

enum net_end net_error(const struct net *net, const char **line)
{
	*line = net->error.text;
	return net->end;
}

bool net_permits(struct net *net, const struct network_address *to, uint8_t protocol)
{
	struct network_address address = *to;
	unsigned i = 0;
	if (net->config->has_route && net_rules_permit(&net->config->rules, to, protocol))
		return true;
	address.protocol = protocol;
	address.reserved = 0;
	while (i < STATS_OUTSIDE && net->forbidden[i].protocol && memcmp(&net->forbidden[i], &address, sizeof(address)))
		i++;
	if (i < STATS_OUTSIDE)
		net->forbidden[i] = address;
	return false;
}

bool net_has_descriptor(struct net *net)
{
	unsigned used = net->flow_count + net->port_count;
	if (used < net->limits.sockets_max)
		return true;
	if (net->config->crowded && !net->limits.has_said)
		net->config->crowded(used);
	net->limits.has_said = true;
	return false;
}

void net_watch(struct net *net, struct net_source *source, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.ptr = source};
	if (events == source->events)
		return;
	int op = !events ? EPOLL_CTL_DEL : source->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
	if (epoll_ctl(net->epoll, op, source->fd, &event))
		net_fail(net, "cannot watch a socket: %s", strerror(errno));
	source->events = events;
}

/* --- turns; the lock is held --- */

void net_perform(struct net *net, const struct network_record *request, const uint8_t *payload)
{
	switch (request->op) {
	case NETWORK_CONNECT:
	case NETWORK_SEND:
	case NETWORK_FINISH:
	case NETWORK_CLOSE:
	case NETWORK_TAKEN:
	case NETWORK_LISTEN:
	case NETWORK_UNLISTEN:
		net_flow_request(net, request, payload);
		break;
	case NETWORK_DATAGRAM:
	case NETWORK_FORGET:
		net_datagram_request(net, request, payload);
		break;
	case NETWORK_ASK:
		net_input_request(net, request);
		break;
	default:
		net_fail(net, "the guest made the network request %u, which does not exist", request->op);
		break;
	}
}

static void perform_all(struct net *net)
{
	struct network_record request;
	const uint8_t *payload;
	uint64_t taken = net_ring_taken(net); /* the requests that were made before are in the ring, too */
	/* A guest that makes a request for each one performed, while it should be stopped, would keep the lock for
	 * ever. */
	const uint64_t head = net_ring_requested(net);
	while (!net->end && net_ring_request(net, head, &request, &payload) > 0) {
		if (net->config->recording || net->peers) { /* the guest can change the ring */
			guest_memory_copy(net->copy, payload, request.bytes);
			payload = net->copy;
		}
		if (net->config->recording && !net->peers)
			net_record_request(net, &request, payload);
		if (net->peers)
			net_peers_request(net, &request, payload);
		else if (net->config->replay)
			net_replay_compare(net, &request, payload);
		else
			net_perform(net, &request, payload);
		net_ring_done(net, &request);
	}
	if (net->config->recording)
		net_record_taken(net, taken, UINT64_MAX);
}

void net_mark(struct net *net, const struct record_mark *mark)
{
	pthread_mutex_lock(&net->lock);
	if (net->area && !net->end)
		perform_all(net);
	if (!net->end)
		recording_mark(net->config->recording, mark);
	pthread_mutex_unlock(&net->lock);
}

static void handle_net_events(struct net *net, const struct epoll_event *events, int count)
{
	for (int i = 0; i < count && !net->end && net_ring_has_room(net); i++) {
		struct net_source *source = events[i].data.ptr;
		if (source->kind == NET_FLOW)
			net_flow_event(net, (struct net_flow *)source, events[i].events);
		else if (source->kind == NET_LISTENER)
			net_flow_accept(net, (struct net_listener *)source);
		else if (source->kind == NET_INPUT)
			net_input_event(net);
		else
			net_datagram_event(net, (struct net_port *)source);
	}
}

void net_hear_again(struct net *net)
{
	net_flow_resume(net);
	net_input_resume(net);
	for (unsigned i = 0; i < NET_PORT_LISTS; i++)
		for (struct net_port *port = net->ports[i]; port; port = port->next)
			net_watch(net, &port->source, EPOLLIN);
}

static void resume(struct net *net)
{
	if (!net->is_full || net_ring_has_events(net))
		return;
	net->is_full = false;
	net_hear_again(net);
}

/* Performs the requests, and takes what has come, without waiting. */
static void turn(struct net *net)
{
	struct epoll_event events[EVENTS_AT_ONCE];
	perform_all(net);
	if (net->peers)
		net_peers_turn(net);
	else if (net->config->replay)
		net_replay_feed(net);
	if (!net_has_sockets(net->config))
		return;
	resume(net);
	net_input_turn(net);
	int count = net->is_full ? 0 : epoll_wait(net->epoll, events, EVENTS_AT_ONCE, 0);
	handle_net_events(net, events, count);
}

/* A recording that cannot be written ends the run. */
static void check_recording(struct net *net)
{
	int error = net->config->recording ? recording_error(net->config->recording) : 0;
	if (error)
		net_fail(net, "cannot write the recording: %s", strerror(-error));
}

/* --- the second thread --- */

/* Whether something may come from the host by itself. Until a recording lacks something, the run depends on it alone.
 */
static bool has_host(const struct net *net)
{
	return !net->peers || net->flow_count || net->port_count;
}

static void *turn_beside(void *context)
{
	struct net *net = context;
	pthread_mutex_lock(&net->lock);
	while (!net->ends) {
		uint64_t ns = jitter_interval_ns(net->guest_waits ? REST_NS : TURN_NS);
		const struct timespec time = {.tv_nsec = (long)ns};
		pthread_mutex_unlock(&net->lock);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
		pthread_mutex_lock(&net->lock);
		if (!net->guest_waits && !net->ends && has_host(net))
			turn(net);
		check_recording(net);
	}
	pthread_mutex_unlock(&net->lock);
	return NULL;
}

int net_start(struct net *net)
{
	if (!net_has_sockets(net->config))
		return 0;
	int error = net->config->recording ? -recording_start(net->config->recording) : 0;
	if (!error) {
		error = beside_create(&net->thread, turn_beside, net);
		net->has_thread = !error;
	}
	return error ? net_fail(net, "cannot start a thread: %s; raise 'ulimit -u'", strerror(error)) : 0;
}

/* --- the guest's requests --- */

int net_turn(struct net *net)
{
	pthread_mutex_lock(&net->lock);
	turn(net);
	pthread_mutex_unlock(&net->lock);
	return net->end ? -EPROTO : 0;
}

static void put_time(struct net *net, uint64_t ns)
{
	const struct network_record event = {.op = NETWORK_TIME, .moment = ns};
	net_ring_put(net, &event);
}

/* Waits for an event of the host's sockets. Returns the number of events, 0 after the time, or -EINTR. */
static int wait_ns(const struct net *net, struct epoll_event *events, uint64_t ns)
{
	const struct timespec time = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
	int count = epoll_pwait2(net->epoll, events, EVENTS_AT_ONCE, ns == UINT64_MAX ? NULL : &time, NULL);
	if (count < 0 && errno == ENOSYS) /* before Linux 5.11 */
		count = epoll_wait(net->epoll, events, EVENTS_AT_ONCE,
		                   ns == UINT64_MAX       ? -1
		                   : ns < 3600000000000UL ? (int)((ns + 999999) / 1000000)
		                                          : 3600000);
	return count < 0 ? -EINTR : count;
}

int net_wait(struct net *net, uint64_t look, uint64_t most_ns, bool (*is_stopped)(void))
{
	struct epoll_event events[EVENTS_AT_ONCE];
	uint64_t start = now_ns(), passed = 0;
	int count = 0;
	pthread_mutex_lock(&net->lock);
	net->guest_waits = true;
	perform_all(net);
	if (net->peers)
		net_peers_wait(net, most_ns);
	else if (net->config->replay)
		net_replay_wait(net, look);
	else
		resume(net);
	net_input_turn(net);
	while (!net->end && !net_ring_wakes(net)) {
		pthread_mutex_unlock(&net->lock);
		uint64_t left = most_ns == UINT64_MAX ? most_ns : most_ns - passed;
		count = wait_ns(net, events, left < SLICE_NS ? left : SLICE_NS);
		pthread_mutex_lock(&net->lock);
		passed = now_ns() - start;
		passed = passed < most_ns ? passed : most_ns;
		if (is_stopped()) /* also while events come without end */
			break;
		if (count > 0 || passed == most_ns) {
			put_time(net, passed);
			handle_net_events(net, events, count > 0 ? count : 0);
		}
	}
	net->guest_waits = false;
	bool is_interrupted = !net_ring_wakes(net);
	pthread_mutex_unlock(&net->lock);
	return net->end ? -EPROTO : is_interrupted ? -EINTR : 0;
}

/* --- opening and closing --- */

bool net_is_wanted(const struct net_config *config)
{
	return config->has_route || config->published_count;
}

bool net_has_sockets(const struct net_config *config)
{
	return !config->replay || (config->has_peers && config->miss == NET_MISS_PASSES);
}

static int open_publish(struct net_publish *published, struct error *error)
{
	const int on = 1;
	union net_sockaddr *address = &published->address;
	bool is_tcp = published->protocol == IPPROTO_TCP;
	socklen_t bytes = address->any.sa_family == AF_INET ? sizeof(address->in) : sizeof(address->in6);
	struct network_address shown;
	char text[NET_ADDRESS_TEXT];
	int fd = socket(address->any.sa_family, (is_tcp ? SOCK_STREAM : SOCK_DGRAM) | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd >= 0 && is_tcp)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (fd >= 0 && address->any.sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	net_address_of(&address->any, &shown);
	net_address_text(&shown, text);
	if (fd < 0 || bind(fd, &address->any, bytes) || getsockname(fd, &address->any, &bytes)) {
		int reason = errno;
		if (fd >= 0)
			close(fd);
		return error_set(error, reason,
		                 "cannot publish a port at %s: %s; give another by --publish, or 0 for a "
		                 "free one",
		                 text, strerror(reason));
	}
	published->fd = fd;
	return 0;
}

int net_publish_open(struct net_config *config, struct error *error)
{
	net_address_find_resolver();
	config->files_max = net_limits_files();
	for (unsigned i = 0; i < config->published_count && !config->replay; i++) {
		int result = open_publish(&config->published[i], error);
		if (result)
			return result;
	}
	return 0;
}

static void begin_listeners(struct net *net)
{
	for (unsigned i = 0; i < net->config->published_count; i++) {
		const struct net_publish *published = &net->config->published[i];
		net->area->published[i].port = published->port;
		net->area->published[i].protocol = published->protocol;
		if (published->protocol != IPPROTO_TCP || net->config->replay)
			continue;
		net->listeners[net->listener_count++] = (struct net_listener){
			.source = {.kind = NET_LISTENER, .fd = published->fd}, .port = published->port};
	}
}

int net_open(struct net **out, const struct net_config *config, uint64_t ram_bytes, host_memory_reserve *reserve,
             struct error *error)
{
	struct net *net = calloc(1, sizeof(*net));
	if (!net)
		return error_set(error, ENOMEM, "out of memory for the network");
	*out = net;
	net->config = config;
	net->epoll = -1;
	pthread_mutex_init(&net->lock, NULL);
	int result = reserve(&net->memory, LAYOUT_NETWORK_SIZE);
	if (result)
		return error_set(error, -result, "cannot reserve %lu MiB of address space for the network: %s",
		                 LAYOUT_NETWORK_SIZE >> 20, strerror(-result));
	net->area = (struct network_area *)net->memory.base;
	if (net_has_sockets(config))
		net->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (net->epoll < 0 && net_has_sockets(config))
		return error_set(error, errno, "cannot watch sockets: %s", strerror(errno));
	net_limits_init(&net->limits, ram_bytes, config->files_max, net->epoll < 0 ? 0 : (unsigned)net->epoll);
	begin_listeners(net);
	net->area->next_look = UINT64_MAX;
	if (config->has_peers)
		return net_peers_begin(net, error);
	result = config->replay ? net_replay_begin(net) : net_datagram_begin(net);
	return result ? error_set(error, ENOMEM, "out of memory for the network") : 0;
}

const struct host_memory *net_area(const struct net *net)
{
	return &net->memory;
}

int net_descriptor(const struct net *net)
{
	return net->epoll;
}

/* Sends what the guest has sent before its end. */
static void say_farewell(struct net *net, bool (*is_stopped)(void))
{
	uint64_t end = now_ns() + FAREWELL_NS;
	perform_all(net);
	net->is_full = true; /* nothing is received any more */
	net_flow_resume(net);
	while (!net->end && net_flow_has_unsent(net) && !is_stopped() && now_ns() < end) {
		struct epoll_event events[EVENTS_AT_ONCE];
		int count = wait_ns(net, events, 100000000);
		for (int i = 0; i < count; i++) {
			struct net_source *source = events[i].data.ptr;
			if (source->kind == NET_FLOW)
				net_flow_event(net, (struct net_flow *)source, events[i].events & EPOLLOUT);
			else
				net_watch(net, source, 0);
		}
	}
}

void net_close(struct net *net, bool (*is_stopped)(void), struct network_address forbidden[STATS_OUTSIDE],
               struct net_misses *misses)
{
	if (!net)
		return;
	if (net->has_thread) {
		pthread_mutex_lock(&net->lock);
		net->ends = true;
		pthread_mutex_unlock(&net->lock);
		pthread_join(net->thread, NULL);
	}
	if (net->area && net_has_sockets(net->config))
		say_farewell(net, is_stopped);
	if (net->area && net->config->recording) {
		net_record_taken(net, net_ring_taken(net), UINT64_MAX);
		recording_stop(net->config->recording);
	}
	net_replay_end(net);
	net_peers_end(net);
	free(net->pending);
	memcpy(forbidden, net->forbidden, sizeof(net->forbidden));
	*misses = net->misses;
	net_flow_close_all(net);
	net_datagram_close_all(net);
	for (unsigned i = 0; i < net->listener_count; i++) {
		net_watch(net, &net->listeners[i].source, 0);
		shutdown(net->listeners[i].source.fd, SHUT_RDWR);
	}
	if (net->epoll >= 0)
		close(net->epoll);
	host_memory_release(&net->memory);
	pthread_mutex_destroy(&net->lock);
	free(net);
}
