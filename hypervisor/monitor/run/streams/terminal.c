/* SPDX-License-Identifier: MIT */
/* The guest's terminal on the host's. Bytes are read ahead only to find keys that make signals while the guest runs. */
#include "run/streams/terminal.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "run/watch.h"

#define ESCAPE 0x1b
#define BELL 0x07

void terminal_init(struct terminal *terminal, bool hashing)
{
	memset(terminal, 0, sizeof(*terminal));
	pthread_mutex_init(&terminal->lock, NULL);
	terminal->hashing = hashing;
	if (hashing)
		digest_begin(&terminal->sum);
}

void terminal_fini(struct terminal *terminal)
{
	pthread_mutex_lock(&terminal->lock);
	if (terminal->hashing)
		digest_end(&terminal->sum, terminal->record.sum);
	terminal->hashing = false;
	pthread_mutex_unlock(&terminal->lock);
	pthread_mutex_destroy(&terminal->lock);
}

/* --- keys --- */

static size_t character_bytes(const uint8_t *typed, size_t bytes)
{
	size_t length = typed[0] < 0xc2 ? 1 : typed[0] < 0xe0 ? 2 : typed[0] < 0xf0 ? 3 : typed[0] < 0xf5 ? 4 : 1;
	return length < bytes ? length : bytes;
}

/* Length of a sequence ESC [: parameters, then a final byte (ECMA-48, 5.4). Consoles also send ESC [ [ A, and ESC [ M
 * with three bytes. */
static size_t control_bytes(const uint8_t *typed, size_t bytes)
{
	size_t at = 2;
	if (bytes > 2 && (typed[2] == '[' || typed[2] == 'M')) {
		size_t length = typed[2] == '[' ? 4 : 6;
		return length < bytes ? length : bytes;
	}
	while (at < bytes && typed[at] >= 0x20 && typed[at] < 0x40)
		at++;
	return at < bytes ? at + 1 : bytes;
}

/* Length of a terminal's answer to a query, up to BEL or ESC \. */
static size_t answer_bytes(const uint8_t *typed, size_t bytes)
{
	for (size_t at = 2; at < bytes; at++) {
		if (typed[at] == BELL)
			return at + 1;
		if (typed[at] == '\\' && typed[at - 1] == ESCAPE)
			return at + 1;
	}
	return bytes;
}

size_t terminal_key_bytes(const uint8_t *typed, size_t bytes)
{
	size_t length, escapes = 0;
	while (escapes + 1 < bytes && escapes < 2 && typed[escapes] == ESCAPE)
		escapes++;
	const uint8_t *at = typed + escapes;
	if (!escapes)
		length = character_bytes(typed, bytes);
	else if (*at == '[')
		length = escapes - 1 + control_bytes(at - 1, bytes - escapes + 1);
	else if (*at == 'O')
		length = escapes + 2 < bytes ? escapes + 2 : bytes;
	else if (*at == ']' || *at == 'P')
		length = escapes - 1 + answer_bytes(at - 1, bytes - escapes + 1);
	else
		length = escapes + character_bytes(at, bytes - escapes);
	return length < TYPED_BYTES ? length : TYPED_BYTES;
}

/* --- reading; the lock is held --- */

/* Reads what has been typed, without waiting. */
static void read_typed(struct terminal *terminal)
{
	struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
	if (terminal->start) {
		memmove(terminal->typed, terminal->typed + terminal->start, terminal->end - terminal->start);
		terminal->end -= terminal->start;
		terminal->start = 0;
	}
	while (!terminal->ended && terminal->end < TERMINAL_BYTES && poll(&ready, 1, 0) > 0) {
		ssize_t got = read(STDIN_FILENO, terminal->typed + terminal->end, TERMINAL_BYTES - terminal->end);
		if (got > 0)
			terminal->end += (size_t)got;
		else if (got == 0 || (errno != EINTR && errno != EAGAIN))
			terminal->ended = true;
		else
			break;
	}
}

static void record(struct terminal *terminal, const uint8_t *key, size_t bytes, uint64_t moment)
{
	const uint64_t head[2] = {bytes, moment};
	terminal->record.keys += bytes != 0;
	terminal->record.waits += bytes == 0;
	terminal->record.bytes += bytes;
	if (!terminal->hashing)
		return;
	digest_add(&terminal->sum, head, sizeof(head));
	digest_add(&terminal->sum, key, bytes);
}

/* Takes the next key. Returns its bytes, -EAGAIN if none is typed yet, or 0 at the end of input. */
static int64_t take(struct terminal *terminal, uint8_t key[TYPED_BYTES], uint64_t moment)
{
	read_typed(terminal);
	if (terminal->start == terminal->end)
		return terminal->ended ? 0 : -EAGAIN;
	const uint8_t *typed = terminal->typed + terminal->start;
	size_t bytes = terminal_key_bytes(typed, terminal->end - terminal->start);
	memcpy(key, typed, bytes);
	terminal->start += bytes;
	record(terminal, key, bytes, moment);
	return (int64_t)bytes;
}

static int milliseconds_until(uint64_t deadline_ns)
{
	uint64_t now = watch_now_ns(), left = deadline_ns > now ? (deadline_ns - now + 999999) / 1000000 : 0;
	return deadline_ns == UINT64_MAX ? -1 : left < INT_MAX ? (int)left : INT_MAX;
}

int64_t terminal_key(struct terminal *terminal, uint8_t key[TYPED_BYTES], uint64_t wait_ns, uint64_t moment)
{
	struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
	uint64_t now = watch_now_ns(), deadline = wait_ns < UINT64_MAX - now ? now + wait_ns : UINT64_MAX;
	pthread_mutex_lock(&terminal->lock);
	terminal->is_waiting = true;
	int64_t result = take(terminal, key, wait_ns ? 0 : moment);
	while (result == -EAGAIN && wait_ns) {
		int left = milliseconds_until(deadline);
		pthread_mutex_unlock(&terminal->lock);
		int events = poll(&ready, 1, left);
		pthread_mutex_lock(&terminal->lock);
		if (events < 0)
			result = -EINTR;
		else
			result = take(terminal, key, 0);
		if (result == -EAGAIN && !events && !milliseconds_until(deadline)) {
			record(terminal, key, 0, 0);
			break;
		}
		if (result == -EINTR && watch_stopped() == WATCH_GOES_ON)
			result = -EAGAIN;
	}
	terminal->is_waiting = false;
	pthread_mutex_unlock(&terminal->lock);
	return result;
}

/* The characters that stty(1) calls intr, quit and susp. If the guest has set other characters, it gets them when it
 * waits for a key. */
static bool makes_signal(uint8_t byte)
{
	return byte == 3 || byte == 28 || byte == 26;
}

bool terminal_look(struct terminal *terminal)
{
	bool found = false;
	pthread_mutex_lock(&terminal->lock);
	if (!terminal->is_waiting)
		read_typed(terminal);
	for (size_t i = terminal->start; i < terminal->end && !found; i++)
		found = makes_signal(terminal->typed[i]);
	pthread_mutex_unlock(&terminal->lock);
	return found;
}
