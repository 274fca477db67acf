/* SPDX-License-Identifier: MIT */
/* Text that grows by doubling its room. */
#include "kernel/linux/files/text.h"

#include <stdarg.h>

#include "abi/errno.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"

#define ROOM_MIN 512
#define PIECE_BYTES 512

void text_add(struct text *text, const void *from, size_t bytes)
{
	size_t room = text->room ? text->room : ROOM_MIN;
	while (room - text->bytes < bytes)
		room *= 2;
	if (!text->error && room != text->room) {
		char *at = krealloc(text->at, room);
		if (!at) {
			text->error = -ENOMEM;
			return;
		}
		text->at = at;
		text->room = room;
	}
	if (text->error)
		return;
	memcpy(text->at + text->bytes, from, bytes);
	text->bytes += bytes;
}

void text_print(struct text *text, const char *fmt, ...)
{
	char piece[PIECE_BYTES];
	va_list args;
	va_start(args, fmt);
	size_t length = format_va(piece, sizeof(piece), fmt, args);
	va_end(args);
	text_add(text, piece, length);
}

void text_octal(struct text *text, uint64_t number, unsigned width)
{
	char digits[24];
	size_t at = sizeof(digits);
	do {
		digits[--at] = (char)('0' + (number & 7));
		number >>= 3;
	} while (number || sizeof(digits) - at < width);
	text_add(text, digits + at, sizeof(digits) - at);
}
