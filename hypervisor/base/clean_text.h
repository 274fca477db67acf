/* SPDX-License-Identifier: MIT */
/* Text that others chose, such as a guest's file names, made fit for one line of a terminal. */
#ifndef HYPERVISOR_CLEAN_TEXT_H
#define HYPERVISOR_CLEAN_TEXT_H

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
 * Replaces by '?' each byte of a control character (newlines, DEL, and C1 in UTF-8), and each byte that is not UTF-8,
 * because terminals of 8 bits take some of these for control characters.
 */
static inline void clean_text(char *text, size_t bytes)
{
	unsigned char *at = (unsigned char *)text;
	while (bytes) {
		size_t length = clean_text_utf8(at, bytes), shown = length;
		if ((length == 1 && (at[0] < ' ' || at[0] == 0x7f)) || (length == 2 && at[0] == 0xc2 && at[1] < 0xa0))
			shown = 0;
		length = length ? length : 1;
		for (size_t i = 0; !shown && i < length; i++)
			at[i] = '?';
		at += length;
		bytes -= length;
	}
}

#endif
