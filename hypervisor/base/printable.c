/* SPDX-License-Identifier: MIT */
#include "base/printable.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/memory.h"
#include "base/utf8.h"

/* Writes a byte that is not shown as it is. Returns the end of what it wrote. */
static char *escape(char byte, char *to)
{
	switch (byte) {
	case '\n':
		return to + sprintf(to, "\\n");
	case '\t':
		return to + sprintf(to, "\\t");
	case '\\':
		return to + sprintf(to, "\\\\");
	default:
		return to + sprintf(to, "\\x%02x", (unsigned char)byte);
	}
}

static char *copy_escaped(const char *from, size_t bytes, bool escapes_backslash)
{
	char *copy = memory_or_die(calloc(1, bytes + 1)), *text = memory_or_die(malloc(4 * bytes + 1)), *to = text;
	memcpy(copy, from, bytes);
	for (size_t at = 0; at < bytes;) {
		size_t length = utf8_bytes(copy + at);
		if (length && clean_text_is_shown((const unsigned char *)copy + at, length) &&
		    !(escapes_backslash && copy[at] == '\\')) {
			memcpy(to, copy + at, length);
			to += length;
			at += length;
		} else {
			for (length = length ? length : 1; length; length--)
				to = escape(copy[at++], to);
		}
	}
	*to = 0;
	free(copy);
	return text;
}

char *printable(const char *from, size_t bytes)
{
	return copy_escaped(from, bytes, true);
}

char *printable_line(const char *from, size_t bytes)
{
	return copy_escaped(from, bytes, false);
}
