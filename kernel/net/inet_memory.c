/* SPDX-License-Identifier: MIT */
#include "kernel/net/inet_memory.h"

#include "kernel/mm/frame.h"

/* Bytes. Linux's limits are 1/16 and 3/32 of the memory. The monitor keeps what peers outside do not take, and its
 * memory is not the guest's: hence MEMORY_MOST. */
#define MEMORY_MOST (256UL << 20)
#define BUFFER_PRESSURE 65536UL /* bytes: a piece of a message (INET_STREAM_PIECE) */
#define BUFFER_LEAST 4096UL     /* bytes, as the least of Linux's tcp_wmem */

static struct {
	uint64_t used;
	bool is_short;
} memory;

static uint64_t most(void)
{
	uint64_t share = frame_total_bytes() / 32 * 3;
	return share < MEMORY_MOST ? share : MEMORY_MOST;
}

uint64_t inet_memory_buffer(const struct socket *socket)
{
	uint64_t buffer = !memory.is_short ? UINT64_MAX : memory.used < most() ? BUFFER_PRESSURE : BUFFER_LEAST;
	return buffer < socket->send_bytes ? buffer : socket->send_bytes;
}

/* Memory is not short any more: connections whose own bytes stay unread can send again. */
static void tell_writable(void)
{
	for (struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket))
		if (socket->protocol == LINUX_IPPROTO_TCP && !socket->dead && socket_is_writable(socket))
			socket_tell(socket, SOCKET_WRITABLE);
}

void inet_memory_charge(struct socket *sender, uint64_t bytes)
{
	sender->charged += bytes;
	memory.used += bytes;
	memory.is_short |= memory.used > most() / 3 * 2;
}

void inet_memory_discharge(struct socket *sender, uint64_t bytes)
{
	sender->charged -= bytes;
	memory.used -= bytes;
	if (!memory.is_short || memory.used > most() / 2)
		return;
	memory.is_short = false;
	tell_writable();
}
