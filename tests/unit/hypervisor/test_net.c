/* SPDX-License-Identifier: MIT */
/* The network of a guest that goes on while it should be stopped, as one of the process engine can: its requests and
 * the events of the host never end, and each call of the network still does. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "net/net_state.h"

#define ENDLESS 1000000UL /* calls after which the guest gives up: those of one ring are fewer */

static struct net_config config;
static struct net *net;
static unsigned long sent, waited;

int __wrap_socket(int domain, int type, int protocol);
ssize_t __wrap_sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t bytes);
int __wrap_epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *time,
                        const sigset_t *mask);

int __wrap_socket(int domain, int type, int protocol)
{
	int ends[2];
	(void)domain, (void)protocol;
	if (socketpair(AF_UNIX, type, 0, ends))
		return -1;
	close(ends[1]);
	return ends[0];
}

/* The guest makes one more request while the monitor performs one. */
ssize_t __wrap_sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t bytes)
{
	(void)fd, (void)data, (void)flags, (void)to, (void)bytes;
	if (++sent < ENDLESS)
		net->area->requests_head = net->requests_tail + NETWORK_REQUESTS_BYTES;
	return (ssize_t)size;
}

/* An event of the host, and the guest has taken all that were given to it. */
int __wrap_epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *time,
                        const sigset_t *mask)
{
	static struct net_source source = {.kind = NET_PORT};
	(void)epoll, (void)most, (void)time, (void)mask;
	net->area->events_tail = net->events_head;
	net->is_full = true; /* the event is not handled */
	events[0] = (struct epoll_event){.data.ptr = &source};
	return ++waited < ENDLESS ? 1 : 0;
}

static bool is_stopped(void)
{
	net->area->events_tail = net->events_head;
	return true;
}

static int set_up(void **state)
{
	struct error error;
	(void)state;
	config = (struct net_config){.files_max = 64, .has_route = true};
	sent = waited = 0;
	return net_open(&net, &config, 64UL << 20, host_memory_anonymous, &error);
}

static int tear_down(void **state)
{
	struct network_address forbidden[STATS_OUTSIDE];
	(void)state;
	struct net_misses misses;
	net_close(net, is_stopped, forbidden, &misses);
	return 0;
}

static void a_turn_performs_only_what_was_asked_before_it(void **state)
{
	const struct network_record request = {.op = NETWORK_DATAGRAM,
	                                       .local.port = 7,
	                                       .remote = {.bytes = {[10] = 0xff, 0xff, 192, 0, 2, 1}, .port = 9}};
	(void)state;
	for (uint64_t at = 0; at + sizeof(request) <= NETWORK_REQUESTS_BYTES; at += sizeof(request))
		memcpy(net->memory.base + NETWORK_REQUESTS_AT + at, &request, sizeof(request));
	net->area->requests_head = 3 * sizeof(request);
	assert_int_equal(net_turn(net), 0);
	assert_int_equal(sent, 3);
	sent = ENDLESS;
	net->area->requests_head = net->requests_tail;
}

static void a_wait_ends_at_a_stop_although_events_come(void **state)
{
	(void)state;
	assert_int_equal(net_wait(net, 1, UINT64_MAX, is_stopped), -EINTR);
	assert_int_equal(waited, 1);
}

static void a_position_that_jumps_back_ends_the_run(void **state)
{
	(void)state;
	net->requests_tail = 8 * sizeof(struct network_record);
	net->area->requests_head = sizeof(struct network_record);
	assert_int_equal(net_turn(net), -EPROTO);
	assert_int_equal(net->end, NET_FAILS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_turn_performs_only_what_was_asked_before_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_wait_ends_at_a_stop_although_events_come, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_position_that_jumps_back_ends_the_run, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
