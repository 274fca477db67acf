/* SPDX-License-Identifier: MIT */
/* Drains the console ring. The guest's counter and headers are copied before they are checked. The data may change
 * while it is written out, which harms only the guest's own output. */
#include "run/streams/console.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "abi/layout.h"
#include "abi/ring.h"
#include "abi/tries.h"
#include "base/write_all.h"

/* Limits of a batch: bytes and pieces. */
#define BATCH_BYTES 0x10000U
#define BATCH_PARTS 64
#define GIVE_UP_MS 100

void console_init(struct console *console, const struct guest_memory *memory, bool discard, bool hashing)
{
	memset(console, 0, sizeof(*console));
	console->memory = memory;
	pthread_mutex_init(&console->lock, NULL);
	console->fds[1] = discard ? -1 : STDOUT_FILENO;
	console->fds[2] = discard ? -1 : STDERR_FILENO;
	console->hashing = hashing;
	console->copied[1].hash = console->copied[2].hash = TRIES_HASH_START;
	for (int stream = 1; stream <= 2; stream++)
		if (console->fds[stream] >= 0)
			fcntl(console->fds[stream], F_SETPIPE_SZ,
			      CONSOLE_RING_BYTES); /* fails if the stream is no pipe or the host refuses; output is only
			                              slower then */
	for (int stream = 1; stream <= 2; stream++)
		digest_begin(&console->sums[stream]);
}

void console_pass_on(struct console *console, const int copies[3], uint64_t copies_max, const struct observer *observer)
{
	memcpy(console->copies, copies, sizeof(console->copies));
	console->copies_max = copies_max;
	console->observer = observer;
	console->hashing |= copies[1] > 0 || copies[2] > 0 || observer->output;
}

void console_show_calls(struct console *console, struct strace *strace)
{
	console->strace = strace;
	strace->out.giving_up = &console->giving_up;
}

void console_fini(struct console *console)
{
	pthread_mutex_destroy(&console->lock);
}

void console_give_up(struct console *console)
{
	__atomic_store_n(&console->giving_up, true, __ATOMIC_SEQ_CST);
}

/* Consecutive records of one stream, written by one call. */
struct batch {
	int stream;
	unsigned used;
	size_t bytes;
	struct iovec parts[BATCH_PARTS];
};

/* Removes the bytes that were written from the front. */
static void advance(struct batch *batch, size_t bytes)
{
	struct iovec *part = batch->parts;
	batch->bytes -= bytes;
	while (bytes >= part->iov_len && bytes) {
		bytes -= part->iov_len;
		part++;
	}
	batch->used -= (unsigned)(part - batch->parts);
	memmove(batch->parts, part, batch->used * sizeof(*part));
	if (batch->used) {
		batch->parts[0].iov_base = (uint8_t *)batch->parts[0].iov_base + bytes;
		batch->parts[0].iov_len -= bytes;
	}
}

/* Writes as much as the stream takes now. Returns the bytes written, 0 when output is given up, or -1 with errno. */
static ssize_t write_some(const struct console *console, int fd, const struct batch *batch)
{
	struct pollfd wait = {.fd = fd, .events = POLLOUT};
	if (!__atomic_load_n(&console->giving_up, __ATOMIC_SEQ_CST))
		return writev(fd, batch->parts, (int)batch->used);
	/* POLLOUT promises that a pipe takes PIPE_BUF bytes at once (pipe(7)). */
	int ready = 0;
	for (int tries = 0; tries < 10 && ready <= 0; tries++) /* a stop interrupts each poll */
		ready = poll(&wait, 1, GIVE_UP_MS / 10);
	size_t bytes = batch->parts[0].iov_len;
	return ready <= 0 ? 0 : write(fd, batch->parts[0].iov_base, bytes < PIPE_BUF ? bytes : PIPE_BUF);
}

/* Writes everything, unless output is being given up. Reports an error (the reader has gone, the disk is full) once,
 * and drops later output. */
static int write_out(struct console *console, struct batch *batch)
{
	int *fd = &console->fds[batch->stream];
	while (batch->bytes && *fd >= 0) {
		ssize_t done = write_some(console, *fd, batch);
		if (done > 0) {
			advance(batch, (size_t)done);
		} else if (done == 0) {
			*fd = -1;
		} else if (errno == EAGAIN) {
			struct pollfd wait = {.fd = *fd, .events = POLLOUT};
			poll(&wait, 1, GIVE_UP_MS);
		} else if (errno != EINTR) {
			*fd = -1;
			console->reader_gone = errno == EPIPE;
			return error_set(&console->error, errno, "cannot write standard %s: %s",
			                 batch->stream == 1 ? "output" : "error", strerror(errno));
		}
	}
	return 0;
}

static int broken(struct console *console, const char *what)
{
	return error_set(&console->error, EPROTO, "the guest has corrupted its console ring (%s)", what);
}

/* Finds `bytes` bytes of the ring from `count` on: one piece, or two around the ring's end. */
static void locate(const uint8_t *data, uint64_t count, uint32_t bytes, struct iovec parts[2])
{
	uint32_t offset = (uint32_t)(count % CONSOLE_RING_BYTES);
	uint32_t first = CONSOLE_RING_BYTES - offset < bytes ? CONSOLE_RING_BYTES - offset : bytes;
	parts[0] = (struct iovec){(void *)(data + offset), first};
	parts[1] = (struct iovec){(void *)data, bytes - first};
}

static uint32_t read_header(const uint8_t *data, uint64_t count)
{
	struct iovec parts[2];
	uint32_t word;
	locate(data, count, sizeof(word), parts);
	guest_memory_copy(&word, parts[0].iov_base, parts[0].iov_len);
	guest_memory_copy((uint8_t *)&word + parts[0].iov_len, parts[1].iov_base, parts[1].iov_len);
	return word;
}

/* Adds a record's bytes. With hashing it copies them first, so that the hash covers the bytes written even if the guest
 * changes the ring meanwhile. Otherwise they are written directly from the ring. */
static void add_record(const struct console *console, struct batch *batch, const struct iovec record[2])
{
	static uint8_t copy[BATCH_BYTES]; /* under console->lock; one run drains at a time */
	for (int i = 0; i < 2; i++) {
		if (console->hashing) {
			guest_memory_copy(copy + batch->bytes, record[i].iov_base, record[i].iov_len);
			batch->bytes += record[i].iov_len;
			batch->parts[0] = (struct iovec){copy, batch->bytes};
			batch->used = 1;
		} else if (record[i].iov_len) {
			batch->bytes += record[i].iov_len;
			batch->parts[batch->used++] = record[i];
		}
	}
}

/* Appends a batch, which is in the monitor's memory because of hashing, to the copy of its stream, as far as it has
 * room. */
static int copy_batch(struct console *console, const struct batch *batch)
{
	const int stream = batch->stream;
	struct console_sum *sum = &console->copied[stream];
	if (console->copies[stream] <= 0 || console->error.text[0])
		return 0;
	const uint64_t room = sum->bytes < console->copies_max ? console->copies_max - sum->bytes : 0;
	int error = write_all(console->copies[stream], batch->parts[0].iov_base,
	                      batch->bytes < room ? batch->bytes : room, (off_t)sum->bytes);
	sum->hash = tries_hash(sum->hash, batch->parts[0].iov_base, batch->bytes);
	sum->bytes += batch->bytes;
	return error ? error_set(&console->error, -error, "cannot keep a copy of standard %s: %s",
	                         stream == 1 ? "output" : "error", strerror(-error))
	             : 0;
}

/* Writes the batch, then gives the guest the room in the ring up to console->tail. */
static int flush(struct console *console, struct console_ring *ring, struct batch *batch)
{
	if (console->hashing && batch->used)
		digest_add(&console->sums[batch->stream], batch->parts[0].iov_base, batch->bytes);
	if (console->hashing && batch->used && console->observer && console->observer->output)
		console->observer->output(console->observer->context, batch->stream, batch->parts[0].iov_base,
		                          batch->bytes);
	int copied = console->hashing && batch->used ? copy_batch(console, batch) : 0;
	int result = copied ? copied : write_out(console, batch);
	__atomic_store_n(&ring->tail, console->tail, __ATOMIC_RELEASE);
	batch->used = 0;
	batch->bytes = 0;
	return result;
}

/* Consumes the records up to head. */
static int drain_records(struct console *console, const uint8_t *data, uint64_t head, struct console_ring *ring)
{
	struct batch batch = {.stream = 1};
	struct iovec record[2];
	int result = 0;
	while (console->tail < head && !result) {
		uint32_t word = read_header(data, console->tail), bytes = CONSOLE_RECORD_BYTES(word);
		int stream = (int)CONSOLE_RECORD_STREAM(word);
		uint64_t next = console->tail + sizeof(word) + ((bytes + 3UL) & ~3UL);
		if (stream != 1 && stream != 2)
			return broken(console, "a record of no stream");
		if (next > head || bytes > BATCH_BYTES)
			return broken(console, "a record longer than what was written");
		if (stream != batch.stream || batch.bytes + bytes > BATCH_BYTES || batch.used + 2 > BATCH_PARTS) {
			result = flush(console, ring, &batch);
			batch.stream = stream;
		}
		locate(data, console->tail + sizeof(word), bytes, record);
		add_record(console, &batch, record);
		console->tail = next;
	}
	return result ? result : flush(console, ring, &batch);
}

static int drain_to(struct console *console, uint64_t head)
{
	struct console_ring *ring = guest_memory_at(console->memory, gpa(LAYOUT_CONSOLE_RING), sizeof(*ring));
	const uint8_t *data =
		guest_memory_at(console->memory, gpa(LAYOUT_CONSOLE_RING + PAGE_SIZE), CONSOLE_RING_BYTES);
	if (!ring || !data)
		return -EFAULT;
	if (head < console->tail || head - console->tail > CONSOLE_RING_BYTES)
		return broken(console, "its counter jumped");
	return drain_records(console, data, head, ring);
}

/* strace_show_output: the program's output up to the place of a call. A place that was passed has been shown. */
static int show_before_call(void *context, uint64_t count)
{
	struct console *console = context;
	return count > console->tail ? drain_to(console, count) : 0;
}

int console_drain(struct console *console)
{
	struct console_ring *ring = guest_memory_at(console->memory, gpa(LAYOUT_CONSOLE_RING), sizeof(*ring));
	if (!ring)
		return -EFAULT;
	pthread_mutex_lock(&console->lock);
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE), bytes = head - console->tail;
	int result = 0;
	if (head < console->tail || bytes > CONSOLE_RING_BYTES)
		result = broken(console, "its counter jumped");
	else if (console->strace) /* after head was read: all calls before it are then in their ring */
		result = strace_drain(console->strace, show_before_call, console);
	if (!result && head >= console->tail)
		result = drain_to(console, head);
	if (console->error.text[0]) /* every later call in either thread reports the error, too */
		result = -EIO;
	pthread_mutex_unlock(&console->lock);
	return result ? result : (int)bytes;
}
