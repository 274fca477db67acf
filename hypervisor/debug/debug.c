/* SPDX-License-Identifier: MIT */
#include "debug/debug.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "debug/remote.h"

#define LOOK_MS 100 /* how often a wait for the debugger looks whether the run is to stop */

static void disconnect(struct debug *debug)
{
	if (debug->fd >= 0)
		close(debug->fd);
	debug->fd = -1;
}

/* Sends bytes. A debugger that has gone, or does not read, is left. */
static void send_bytes(struct debug *debug, const char *from, size_t bytes)
{
	while (bytes && debug->fd >= 0) {
		const ssize_t sent = write(debug->fd, from, bytes);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0) {
			disconnect(debug);
			return;
		}
		from += sent;
		bytes -= (size_t)sent;
	}
}

static void send_reply(struct debug *debug)
{
	debug->sent_bytes = packet_make(debug->sent, debug->reply, debug->reply_bytes);
	send_bytes(debug, debug->sent, debug->sent_bytes);
}

/* The next byte of the debugger; -1: it has gone, or the run is to stop. */
static int next_byte(struct debug *debug)
{
	while (debug->input_at == debug->input_bytes) {
		struct pollfd look = {.fd = debug->fd, .events = POLLIN};
		if (debug->fd < 0 || debug->target->is_stopped())
			return -1;
		if (poll(&look, 1, LOOK_MS) <= 0)
			continue;
		const ssize_t got = read(debug->fd, debug->input, sizeof(debug->input));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			disconnect(debug);
			return -1;
		}
		debug->input_at = 0;
		debug->input_bytes = (size_t)got;
	}
	return debug->input[debug->input_at++];
}

/* Waits for a packet. A damaged one is asked for again, as long as packets are acknowledged; later it is dropped.
 * Returns false when none comes any more. */
static bool next_packet(struct debug *debug)
{
	int byte;
	while ((byte = next_byte(debug)) >= 0) {
		switch (packet_feed(&debug->reader, (uint8_t)byte)) {
		case PACKET_WHOLE:
			if (!debug->no_acks)
				send_bytes(debug, "+", 1);
			return true;
		case PACKET_DAMAGED:
			if (!debug->no_acks)
				send_bytes(debug, "-", 1);
			break;
		case PACKET_AGAIN:
			if (!debug->no_acks)
				send_bytes(debug, debug->sent, debug->sent_bytes);
			break;
		default: /* the program stands already */
			break;
		}
	}
	return false;
}

enum debug_verdict debug_wait(struct debug *debug, const struct debug_stop *stop, const struct debug_target *target,
                              struct debug_request *go)
{
	const struct debug_request last = debug->go;
	const bool is_same_thread = debug->was_stopped && debug->stop.tid == stop->tid;
	debug->was_stopped = true;
	debug->target = target;
	debug->stop = *stop;
	debug->chosen = 0;
	debug->is_other = false;
	if (debug->is_restarted)
		remote_want(debug); /* this run's kernel has not been told */
	if (remote_passes_stop(debug)) {
		*go = is_same_thread ? last : (struct debug_request){.op = DEBUG_CONTINUE};
		go->tid &= ~DEBUG_GO_DROPS;
		return DEBUG_GOES_ON;
	}
	if (debug->is_resumed) { /* the debugger asks for the first stop itself */
		remote_tell_stop(debug);
		if (debug->reply_bytes)
			send_reply(debug);
		remote_reply_stop(debug);
		send_reply(debug);
	}
	debug->is_restarted = false;
	while (next_packet(debug)) {
		debug->is_resumed = remote_handle(debug);
		if (debug->is_resumed && debug->restarts)
			return debug->verdict = DEBUG_KILLED;
		if (!debug->is_resumed) {
			send_reply(debug);
			debug->no_acks |= !strcmp(debug->reader.data, "QStartNoAckMode");
			continue;
		}
		if (debug->verdict != DEBUG_GOES_ON && debug->reply_bytes)
			send_reply(debug);
		*go = debug->go;
		if (debug->verdict == DEBUG_LEFT)
			disconnect(debug);
		return debug->verdict;
	}
	if (debug->is_private && debug->fd < 0) /* its gdb has ended without a word */
		debug->verdict = DEBUG_KILLED;
	else
		debug->verdict = DEBUG_LEFT;
	return debug->verdict;
}

bool debug_is_waiting(struct debug *debug)
{
	struct pollfd look = {.fd = debug->fd, .events = POLLIN};
	return debug->fd >= 0 && (debug->input_at < debug->input_bytes || poll(&look, 1, 0) > 0);
}

void debug_restart(struct debug *debug)
{
	debug->restarts = debug->has_changed = false;
	debug->is_restarted = true;
	debug->wanted.place = DEBUG_PLACE_NONE;
	debug->go = (struct debug_request){.op = DEBUG_CONTINUE};
	debug->verdict = DEBUG_GOES_ON;
}

void debug_tell_end(struct debug *debug, bool by_signal, int status)
{
	if (debug->fd < 0 || !debug->is_resumed || debug->verdict == DEBUG_KILLED)
		return;
	remote_reply_end(debug, by_signal, status);
	send_reply(debug);
	disconnect(debug);
}
