/* SPDX-License-Identifier: MIT */
/* Classes of bytes, as Linux's terminals know them: ISO 8859-1 in all locales, and UTF-8 with IUTF8. */
#ifndef KERNEL_VFS_LINE_BYTE_H
#define KERNEL_VFS_LINE_BYTE_H

#include "kernel/vfs/line.h"

#define LINE_BYTE_DELETE 0x7f

static inline bool line_byte_is_control(uint8_t byte)
{
	return byte < ' ' || byte == LINE_BYTE_DELETE;
}

static inline bool line_byte_is_upper(uint8_t byte)
{
	return (byte >= 'A' && byte <= 'Z') || (byte >= 0xc0 && byte <= 0xde && byte != 0xd7);
}

static inline bool line_byte_is_lower(uint8_t byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 0xdf && byte != 0xf7);
}

static inline bool line_byte_is_word(uint8_t byte)
{
	return line_byte_is_upper(byte) || line_byte_is_lower(byte) || (byte >= '0' && byte <= '9') || byte == '_';
}

static inline uint8_t line_byte_to_upper(uint8_t byte)
{
	return line_byte_is_lower(byte) ? (uint8_t)(byte - 0x20) : byte;
}

static inline uint8_t line_byte_to_lower(uint8_t byte)
{
	return line_byte_is_upper(byte) ? (uint8_t)(byte + 0x20) : byte;
}

/** Whether a byte continues a character of UTF-8. */
static inline bool line_byte_continues(const struct line *line, uint8_t byte)
{
	return (line->termios.c_iflag & LINE_IUTF8) && (byte & 0xc0) == 0x80;
}

#endif
