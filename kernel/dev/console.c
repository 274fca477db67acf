/* SPDX-License-Identifier: MIT */
/* Console. How the host splits its input must not be visible: a read ends at the end of a line, at the end of the
 * input, or when it is full. Input that was read ahead, or has arrived as events, stays in a buffer that the run digest
 * leaves out. */
#include "kernel/dev/console.h"

#include "abi/boot.h"
#include "abi/layout.h"
#include "kernel/dev/host.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/arch/direct_map.h"

/** At LAYOUT_STDIN_BUFFER. */
struct stdin_buffer {
	uint32_t start, end; /* unread: data[start, end) */
	uint32_t at_end;     /* the host has said so */
	uint8_t data[LAYOUT_STDIN_BUFFER_SIZE - 12];
};

_Static_assert(sizeof(((struct stdin_buffer *)0)->data) >= TYPED_BYTES, "console_typed");
_Static_assert(sizeof(((struct stdin_buffer *)0)->data) >= CONSOLE_KEPT_MAX, "console_arrive");
_Static_assert(sizeof(struct stdin_buffer) == LAYOUT_STDIN_BUFFER_SIZE, "stdin_buffer");

static struct stdin_buffer *input(void)
{
	return phys_to_virt(LAYOUT_STDIN_BUFFER);
}

int console_write(int stream, const void *from, size_t bytes)
{
	assert(stream == 1 || stream == 2);
	return host->console_write(stream, from, bytes);
}

/* Bytes that a read of at most `bytes` may take now; 0 when more input is needed to decide. */
static size_t complete(size_t bytes)
{
	struct stdin_buffer *buffer = input();
	const uint8_t *from = buffer->data + buffer->start;
	size_t have = buffer->end - buffer->start;
	size_t look = have < bytes ? have : bytes;
	const uint8_t *newline = memchr(from, '\n', look);
	if (newline)
		return (size_t)(newline - from) + 1;
	return look == bytes || buffer->at_end || have == sizeof(buffer->data) ? look : 0;
}

/* Gets more input. 0 or a negative errno. */
static int64_t refill(void)
{
	struct stdin_buffer *buffer = input();
	memmove(buffer->data, buffer->data + buffer->start, buffer->end - buffer->start);
	buffer->end -= buffer->start;
	buffer->start = 0;
	int64_t got = host->console_fill(buffer->data + buffer->end, sizeof(buffer->data) - buffer->end);
	if (got < 0)
		return got;
	buffer->at_end = got == 0;
	buffer->end += (uint32_t)got;
	return 0;
}

long console_read(void *to, size_t bytes)
{
	struct stdin_buffer *buffer = input();
	if (bytes == 0)
		return 0;
	if (bytes > sizeof(buffer->data))
		bytes = sizeof(buffer->data);
	size_t take;
	while (!(take = complete(bytes)) && !buffer->at_end) {
		int64_t result = refill();
		if (result < 0)
			return (long)result;
	}
	memcpy(to, buffer->data + buffer->start, take);
	buffer->start += (uint32_t)take;
	if (take == 0)
		buffer->at_end = 0; /* a terminal may have more after its end-of-file character */
	return (long)take;
}

long console_typed(const uint8_t **key, uint64_t wait_ns)
{
	struct stdin_buffer *buffer = input(); /* a terminal needs it for nothing else */
	*key = buffer->data;
	return host->typed ? (long)host->typed(buffer->data, wait_ns) : 0;
}

void *console_arrive(size_t bytes)
{
	struct stdin_buffer *buffer = input();
	memmove(buffer->data, buffer->data + buffer->start, buffer->end - buffer->start);
	buffer->end -= buffer->start;
	buffer->start = 0;
	if (bytes > sizeof(buffer->data) - buffer->end)
		return NULL;
	buffer->end += (uint32_t)bytes;
	return buffer->data + buffer->end - bytes;
}

size_t console_kept(const uint8_t **from)
{
	const struct stdin_buffer *buffer = input();
	*from = buffer->data + buffer->start;
	return buffer->end - buffer->start;
}

void console_drop(size_t bytes)
{
	assert(bytes <= input()->end - input()->start);
	input()->start += (uint32_t)bytes;
}

bool console_is_tty(int stream)
{
	static const uint32_t flags[3] = {BOOT_FLAG_STDIN_TTY, BOOT_FLAG_STDOUT_TTY, BOOT_FLAG_STDERR_TTY};
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	assert(stream >= 0);
	assert(stream <= 2);
	return boot->flags & flags[stream];
}

void console_tty_size(uint16_t *rows, uint16_t *columns)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	*rows = boot->terminal_rows ? boot->terminal_rows : 24;
	*columns = boot->terminal_columns ? boot->terminal_columns : 80;
}
