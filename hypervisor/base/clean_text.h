/* SPDX-License-Identifier: MIT */
/* Text that others chose, such as a guest's file names, made fit for one line of a terminal. */
#ifndef HYPERVISOR_CLEAN_TEXT_H
#define HYPERVISOR_CLEAN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** Returns the length of the UTF-8 character at `at`, in 1 to 4 bytes, or 0 if none begins there. */
static inline size_t clean_text_utf8(const unsigned char *at, size_t bytes)
{
	const size_t length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
	if (!length || at[0] > 0xf4 || length > bytes)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	/* Longer forms of characters that have a shorter one, which some decoders accept. */
	return (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90) ? 0 : length;
}

/**
 * Whether a terminal shows a character of `length` bytes, which clean_text_utf8() has found. It obeys or hides control
 * characters (newlines, DEL, C1), those that reorder text (Unicode, UAX 9: U+061C, U+200E, U+200F, U+202A to U+202E,
 * U+2066 to U+2069), and separators of lines (U+2028, U+2029). U+FFFE and U+FFFF are no characters.
 */
static inline bool clean_text_is_shown(const unsigned char *at, size_t length)
{
	if (length == 1)
		return at[0] >= ' ' && at[0] != 0x7f;
	if (length == 2)
		return !(at[0] == 0xc2 && at[1] < 0xa0) && !(at[0] == 0xd8 && at[1] == 0x9c);
	if (length != 3)
		return true;
	const unsigned low = (at[1] & 0x3fU) << 6 | (at[2] & 0x3fU);
	const unsigned character = (at[0] & 0xfU) << 12 | low;
	return !(character == 0x200e || character == 0x200f || (character >= 0x2028 && character <= 0x202e) ||
	         (character >= 0x2066 && character <= 0x2069) || character >= 0xfffe);
}

/**
 * Replaces by '?' each byte of a character that is not shown, and each byte that is not UTF-8, because terminals of 8
 * bits take some of these for control characters. printable.h has escapes instead, where there is room for them.
 */
static inline void clean_text(char *text, size_t bytes)
{
	unsigned char *at = (unsigned char *)text;
	while (bytes) {
		size_t length = clean_text_utf8(at, bytes);
		const bool is_shown = length && clean_text_is_shown(at, length);
		length = length ? length : 1;
		for (size_t i = 0; !is_shown && i < length; i++)
			at[i] = '?';
		at += length;
		bytes -= length;
	}
}

#endif
