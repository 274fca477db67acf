/* SPDX-License-Identifier: MIT */
/* Output processing. The column is that of a screen which shows each processed byte; output without OPOST does not
 * change it, as on Linux. */
#include "kernel/vfs/line_output.h"

#include "kernel/lib/string.h"
#include "kernel/vfs/line_byte.h"

static size_t output_newline(struct line *line, uint8_t *to)
{
	const uint32_t flags = line->termios.c_oflag;
	if (flags & (LINE_ONLRET | LINE_ONLCR))
		line->column = 0;
	line->edit_column = line->column;
	if (!(flags & LINE_ONLCR)) {
		to[0] = '\n';
		return 1;
	}
	to[0] = '\r';
	to[1] = '\n';
	return 2;
}

static size_t output_return(struct line *line, uint8_t *to)
{
	const uint32_t flags = line->termios.c_oflag;
	if ((flags & LINE_ONOCR) && !line->column)
		return 0;
	if (!(flags & LINE_OCRNL) || (flags & LINE_ONLRET))
		line->edit_column = line->column = 0;
	to[0] = flags & LINE_OCRNL ? '\n' : '\r';
	return 1;
}

static size_t output_tab(struct line *line, uint8_t *to)
{
	const uint32_t columns = 8 - line->column % 8;
	line->column += columns;
	if ((line->termios.c_oflag & LINE_XTABS) == LINE_XTABS) {
		memset(to, ' ', columns);
		return columns;
	}
	to[0] = '\t';
	return 1;
}

size_t line_output_byte(struct line *line, uint8_t byte, uint8_t *to)
{
	switch (byte) {
	case '\n':
		return output_newline(line, to);
	case '\r':
		return output_return(line, to);
	case '\t':
		return output_tab(line, to);
	case '\b':
		line->column -= line->column ? 1 : 0;
		break;
	default:
		if (line_byte_is_control(byte))
			break;
		if (line->termios.c_oflag & LINE_OLCUC)
			byte = line_byte_to_upper(byte);
		line->column += !line_byte_continues(line, byte);
	}
	to[0] = byte;
	return 1;
}

size_t line_output(struct line *line, const uint8_t *from, size_t bytes, uint8_t *to)
{
	size_t done = 0;
	if (!(line->termios.c_oflag & LINE_OPOST)) {
		memcpy(to, from, bytes);
		return bytes;
	}
	for (size_t i = 0; i < bytes; i++)
		done += line_output_byte(line, from[i], to + done);
	return done;
}
