/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

size_t utf8_bytes(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	unsigned char low = 0x80, high = 0xbf;
	if (at[0] < 0x80)
		return 1;
	if (at[0] < 0xc2 || at[0] > 0xf4)
		return 0;
	size_t bytes = at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
	low = at[0] == 0xe0 ? 0xa0 : at[0] == 0xf0 ? 0x90 : low;   /* no overlong forms */
	high = at[0] == 0xed ? 0x9f : at[0] == 0xf4 ? 0x8f : high; /* no surrogates, nothing beyond U+10FFFF */
	for (size_t i = 1; i < bytes; i++) {
		if (at[i] < low || at[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return bytes;
}

bool utf8_is(const char *text)
{
	while (*text) {
		size_t bytes = utf8_bytes(text);
		if (!bytes)
			return false;
		text += bytes;
	}
	return true;
}
