/* SPDX-License-Identifier: MIT */
#include "strace/strace_out.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define GIVE_UP_MS 100

/* Whether the output takes bytes. Waits for it; not long when output is given up. */
static bool await_room(const struct strace_out *out)
{
	struct pollfd wait = {.fd = out->fd, .events = POLLOUT};
	const bool short_wait = out->giving_up && __atomic_load_n(out->giving_up, __ATOMIC_SEQ_CST);
	return poll(&wait, 1, GIVE_UP_MS) > 0 || !short_wait;
}

void strace_out_flush(struct strace_out *out)
{
	size_t done = 0;
	while (done < out->used && !out->error && await_room(out)) {
		const ssize_t put = write(out->fd, out->bytes + done, out->used - done);
		if (put >= 0)
			done += (size_t)put;
		else if (errno != EINTR && errno != EAGAIN)
			out->error = errno;
	}
	out->used = 0;
}

void strace_out_bytes(struct strace_out *out, const char *from, size_t bytes)
{
	while (bytes) {
		const size_t room = sizeof(out->bytes) - out->used, part = bytes < room ? bytes : room;
		memcpy(out->bytes + out->used, from, part);
		out->used += part;
		out->column += (unsigned)part;
		from += part;
		bytes -= part;
		if (out->bytes[out->used - 1] == '\n')
			out->column = 0;
		if (out->used == sizeof(out->bytes))
			strace_out_flush(out);
	}
}

void strace_out_text(struct strace_out *out, const char *text)
{
	strace_out_bytes(out, text, strlen(text));
}

void strace_out_format(struct strace_out *out, const char *format, ...)
{
	char text[STRACE_OUT_FORMATTED];
	va_list args;
	va_start(args, format);
	const int length = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	strace_out_bytes(out, text, (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1);
}

void strace_out_pad(struct strace_out *out, unsigned column)
{
	while (out->column < column)
		strace_out_bytes(out, " ", 1);
}
