/* SPDX-License-Identifier: MIT */
/* Small formatted printing for messages. Never writes past the buffer, and always ends it with a NUL. */
#include "kernel/lib/format.h"

#include <stdbool.h>

#include "kernel/lib/string.h"

struct sink {
	char *buf;
	size_t size;
	size_t used;
};

static void put_char(struct sink *sink, char c)
{
	if (sink->used + 1 < sink->size)
		sink->buf[sink->used++] = c;
}

static void put_padded(struct sink *sink, const char *s, size_t length, unsigned width, char pad)
{
	for (size_t i = length; i < width; i++)
		put_char(sink, pad);
	for (size_t i = 0; i < length; i++)
		put_char(sink, s[i]);
}

static void put_number(struct sink *sink, unsigned long value, unsigned base, bool negative, unsigned width, char pad)
{
	char digits[24];
	size_t at = sizeof(digits);
	do {
		digits[--at] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	if (negative)
		digits[--at] = '-';
	put_padded(sink, digits + at, sizeof(digits) - at, width, pad);
}

/* Prints one conversion; fmt points after the '%'. Returns the rest of fmt. */
static const char *convert(struct sink *sink, const char *fmt, va_list *args)
{
	char pad = ' ';
	unsigned width = 0;
	bool wide = false;
	if (*fmt == '0')
		pad = *fmt++;
	while (*fmt >= '0' && *fmt <= '9')
		width = width * 10 + (unsigned)(*fmt++ - '0');
	while (*fmt == 'l') {
		wide = true;
		fmt++;
	}
	switch (*fmt) {
	case 's': {
		const char *s = va_arg(*args, const char *);
		put_padded(sink, s, strlen(s), width, ' ');
		break;
	}
	case 'c':
		put_char(sink, (char)va_arg(*args, int));
		break;
	case 'd': {
		long value = wide ? va_arg(*args, long) : va_arg(*args, int);
		put_number(sink, value < 0 ? -(unsigned long)value : (unsigned long)value, 10, value < 0, width, pad);
		break;
	}
	case 'u':
	case 'x': {
		unsigned long value = wide ? va_arg(*args, unsigned long) : va_arg(*args, unsigned int);
		put_number(sink, value, *fmt == 'x' ? 16 : 10, false, width, pad);
		break;
	}
	case 'p':
		put_char(sink, '0');
		put_char(sink, 'x');
		put_number(sink, (unsigned long)va_arg(*args, void *), 16, false, width, pad);
		break;
	default:
		put_char(sink, *fmt);
	}
	return *fmt ? fmt + 1 : fmt;
}

size_t format_va(char *buf, size_t size, const char *fmt, va_list args)
{
	struct sink sink = {buf, size, 0};
	va_list copy;
	va_copy(copy, args);
	while (*fmt) {
		if (*fmt == '%')
			fmt = convert(&sink, fmt + 1, &copy);
		else
			put_char(&sink, *fmt++);
	}
	va_end(copy);
	if (size)
		buf[sink.used] = 0;
	return sink.used;
}

size_t format(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	size_t length = format_va(buf, size, fmt, args);
	va_end(args);
	return length;
}
