/* SPDX-License-Identifier: MIT */
/* Draining the console ring. The guest's counter and headers are copied before they are checked; the data itself
 * may change while it is written out, which harms only the guest's own output. */
#include "console.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abi/layout.h"
#include "abi/ring.h"

#define GATHER_BYTES 0x10000U
#define GIVE_UP_MS 100

void console_init(struct console *console, const struct guest_memory *memory, bool discard, bool hashing)
{
	memset(console, 0, sizeof(*console));
	console->memory = memory;
	pthread_mutex_init(&console->lock, NULL);
	console->fds[1] = discard ? -1 : STDOUT_FILENO;
	console->fds[2] = discard ? -1 : STDERR_FILENO;
	console->hashing = hashing;
	for (int stream = 1; stream <= 2; stream++)
		if (console->fds[stream] >= 0)
			fcntl(console->fds[stream], F_SETPIPE_SZ,
			      CONSOLE_RING_BYTES); /* no pipe, or refused: only slower */
	for (int stream = 1; stream <= 2 && hashing; stream++)
		digest_begin(&console->sums[stream]);
}

void console_fini(struct console *console)
{
	pthread_mutex_destroy(&console->lock);
}

void console_give_up(struct console *console)
{
	__atomic_store_n(&console->giving_up, true, __ATOMIC_SEQ_CST);
}

/* How much may be written now without blocking for ever; 0 when nothing may. */
static size_t writable(const struct console *console, int fd, size_t bytes)
{
	struct pollfd wait = {.fd = fd, .events = POLLOUT};
	if (!__atomic_load_n(&console->giving_up, __ATOMIC_SEQ_CST))
		return bytes;
	/* POLLOUT promises that a pipe takes this many bytes at once (pipe(7)). */
	int ready = 0;
	for (int tries = 0; tries < 10 && ready <= 0; tries++) /* a stop interrupts each of them */
		ready = poll(&wait, 1, GIVE_UP_MS / 10);
	return ready <= 0 ? 0 : bytes < PIPE_BUF ? bytes : PIPE_BUF;
}

/* Writes everything, unless output is being given up. A reader that has gone away, or a full disk, is told once; what
 * follows is dropped. */
static int write_all(struct console *console, int stream, const uint8_t *from, size_t bytes)
{
	while (bytes && console->fds[stream] >= 0) {
		size_t part = writable(console, console->fds[stream], bytes);
		if (part == 0) {
			console->fds[stream] = -1;
			return 0;
		}
		ssize_t done = write(console->fds[stream], from, part);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0 && errno == EAGAIN) {
			struct pollfd wait = {.fd = console->fds[stream], .events = POLLOUT};
			poll(&wait, 1, GIVE_UP_MS);
			continue;
		}
		if (done < 0) {
			int error = errno;
			console->fds[stream] = -1;
			snprintf(console->error, sizeof(console->error), "cannot write standard %s: %s",
			         stream == 1 ? "output" : "error", strerror(error));
			return -error;
		}
		from += done;
		bytes -= (size_t)done;
	}
	return 0;
}

static int broken(struct console *console, const char *what)
{
	snprintf(console->error, sizeof(console->error), "the guest has corrupted its console ring (%s)", what);
	return -EPROTO;
}

/* Adds what stands in the ring at count to the gathered bytes of one stream. */
static void gather(const uint8_t *data, uint64_t count, uint8_t *to, uint32_t bytes)
{
	uint32_t offset = (uint32_t)(count % CONSOLE_RING_BYTES);
	uint32_t first = CONSOLE_RING_BYTES - offset < bytes ? CONSOLE_RING_BYTES - offset : bytes;
	memcpy(to, data + offset, first);
	memcpy(to + first, data, bytes - first);
}

/* The ring has been read up to console->tail. The guest is told before the slow part, and not at every record,
 * because it looks at its tail whenever it writes. */
static int flush(struct console *console, struct console_ring *ring, int stream, const uint8_t *from, size_t bytes)
{
	__atomic_store_n(&ring->tail, console->tail, __ATOMIC_RELEASE);
	if (console->hashing)
		digest_add(&console->sums[stream], from, bytes);
	return write_all(console, stream, from, bytes);
}

/* Consumes the records up to head, writing neighbours of one stream together. */
static int drain_to(struct console *console, const uint8_t *data, uint64_t head, struct console_ring *ring)
{
	static uint8_t gathered[GATHER_BYTES]; /* under console->lock; one run drains at a time */
	size_t used = 0;
	int stream = 1, result = 0;
	while (console->tail < head && !result) {
		uint32_t word;
		gather(data, console->tail, (uint8_t *)&word, sizeof(word));
		uint32_t bytes = CONSOLE_RECORD_BYTES(word);
		uint64_t next = console->tail + sizeof(word) + ((bytes + 3UL) & ~3UL);
		if (CONSOLE_RECORD_STREAM(word) != 1 && CONSOLE_RECORD_STREAM(word) != 2)
			return broken(console, "a record of no stream");
		if (next > head || bytes > GATHER_BYTES)
			return broken(console, "a record longer than what was written");
		if ((int)CONSOLE_RECORD_STREAM(word) != stream || used + bytes > GATHER_BYTES) {
			result = flush(console, ring, stream, gathered, used);
			used = 0;
			stream = (int)CONSOLE_RECORD_STREAM(word);
		}
		gather(data, console->tail + sizeof(word), gathered + used, bytes);
		used += bytes;
		console->tail = next;
	}
	if (!result)
		result = flush(console, ring, stream, gathered, used);
	return result;
}

int console_drain(struct console *console)
{
	struct console_ring *ring = guest_memory_at(console->memory, gpa(LAYOUT_CONSOLE_RING), sizeof(*ring));
	const uint8_t *data =
		guest_memory_at(console->memory, gpa(LAYOUT_CONSOLE_RING + PAGE_SIZE), CONSOLE_RING_BYTES);
	if (!ring || !data)
		return -EFAULT;
	pthread_mutex_lock(&console->lock);
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE), bytes = head - console->tail;
	int result;
	if (head < console->tail || bytes > CONSOLE_RING_BYTES)
		result = broken(console, "its counter jumped");
	else
		result = drain_to(console, data, head, ring);
	if (console->error[0]) /* whichever thread it happened to, every later caller is told */
		result = -EIO;
	pthread_mutex_unlock(&console->lock);
	return result ? result : (int)bytes;
}
