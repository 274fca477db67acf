/* SPDX-License-Identifier: MIT */
/* Standard input as events: what the host has is given to the guest as far as it has asked for it, because what a
 * program does not read stays with the host. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "net/net_state.h"

#define LEAST 4096 /* room in the ring, so that pieces are not small */

static void watch_input(struct net *net)
{
	struct net_input *input = &net->input;
	if (!input->is_file)
		net_watch(net, &input->source, input->asked && !input->has_ended && !net->is_full ? EPOLLIN : 0);
}

/* Whether a read does not block. */
static bool is_ready(const struct net *net)
{
	struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
	return net->input.is_file || poll(&ready, 1, 0) > 0;
}

void net_interrupt_by(struct net *net, uint64_t *flag)
{
	net->input.interrupt = flag;
}

/* Whether the characters that stty(1) calls intr, quit and susp are among what was typed. */
static bool has_signal_key(const uint8_t *typed, size_t bytes)
{
	return memchr(typed, 3, bytes) || memchr(typed, 28, bytes) || memchr(typed, 26, bytes);
}

static void give_input(struct net *net, size_t bytes)
{
	const struct network_record event = {.op = NETWORK_INPUT, .bytes = (uint32_t)bytes};
	if (bytes)
		net_ring_commit(net, &event);
	else
		net_ring_put(net, &event);
	net->input.has_ended = !bytes;
	net->input.asked -= bytes;
}

/* Reads up to `most` bytes. Returns their number, 0 at the end of the input, -EAGAIN when the host has no bytes now, or
 * another negative errno. */
static ssize_t read_some(const struct net *net, void *to, size_t most)
{
	ssize_t got = is_ready(net) ? read(STDIN_FILENO, to, most) : -1;
	if (got >= 0)
		return got;
	if (errno == EINTR || errno == EAGAIN)
		return -EAGAIN;
	/* A descriptor that is only open for writing is empty, and so is a terminal that has gone. */
	return errno == EBADF || net->config->has_terminal ? 0 : -errno;
}

void net_input_event(struct net *net)
{
	struct net_input *input = &net->input;
	size_t room;
	uint8_t *to;
	while (input->asked && !input->has_ended && !net->end && (to = net_ring_reserve(net, LEAST, &room))) {
		room = room < input->asked ? room : input->asked;
		errno = EAGAIN;
		ssize_t got = read_some(net, to, room < NETWORK_STREAM_MAX ? room : NETWORK_STREAM_MAX);
		if (got == -EAGAIN)
			break;
		if (got < 0)
			net_fail(net, "cannot read standard input: %s", strerror((int)-got));
		else
			give_input(net, (size_t)got);
		if (got > 0 && input->interrupt && has_signal_key(to, (size_t)got))
			__atomic_store_n(input->interrupt, 1, __ATOMIC_RELEASE);
	}
	watch_input(net);
}

void net_input_turn(struct net *net)
{
	if (net->input.is_file && net->input.asked && !net->input.has_ended)
		net_input_event(net);
}

void net_input_resume(struct net *net)
{
	if (net->input.is_open)
		watch_input(net);
}

/* Finds out whether epoll(7) can wait for it. */
static void open_net_input(struct net *net)
{
	struct net_input *input = &net->input;
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = &input->source};
	input->is_open = true;
	input->source = (struct net_source){.kind = NET_INPUT, .fd = STDIN_FILENO};
	if ((fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) != O_WRONLY &&
	    !epoll_ctl(net->epoll, EPOLL_CTL_ADD, STDIN_FILENO, &event))
		input->source.events = EPOLLIN;
	else
		input->is_file = true;
}

void net_input_request(struct net *net, const struct network_record *request)
{
	struct net_input *input = &net->input;
	if (!net->config->has_input) {
		net_fail(net, "the guest asked for events of standard input, which it does not have");
		return;
	}
	if (!input->is_open)
		open_net_input(net);
	input->asked += (uint32_t)request->value;
	input->asked = input->asked < NETWORK_WINDOW ? input->asked : NETWORK_WINDOW;
	watch_input(net);
}
