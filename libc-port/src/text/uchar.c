/* SPDX-License-Identifier: MIT */
/* Conversion of 16- and 32-bit Unicode characters (C11 7.28.1); wchar_t holds 32 bits already. */
#include <errno.h>
#include <stdbool.h>
#include <uchar.h>

#define PENDING_LOW 1  /* a low surrogate is still to be delivered */
#define PENDING_HIGH 2 /* a high surrogate was taken and awaits its second half */

/* Between the halves of a surrogate pair the state holds the other half, marked in its count. */
static int pending(const mbstate_t *state)
{
	return state->__count >> 8;
}

static void set_pending(mbstate_t *state, int kind, unsigned value)
{
	state->__count = kind << 8;
	state->__value.__wch = value;
}

size_t mbrtoc32(char32_t *restrict c, const char *restrict s, size_t n, mbstate_t *restrict state)
{
	static mbstate_t own;
	wchar_t wide;
	size_t length = mbrtowc(&wide, s ? s : "", s ? n : 1, state ? state : &own);
	if (s && c && length <= n)
		*c = (char32_t)wide;
	return length;
}

size_t c32rtomb(char *restrict s, char32_t c, mbstate_t *restrict state)
{
	static mbstate_t own;
	return wcrtomb(s, (wchar_t)c, state ? state : &own);
}

size_t mbrtoc16(char16_t *restrict c, const char *restrict s, size_t n, mbstate_t *restrict state)
{
	static mbstate_t own;
	char32_t whole;
	if (!state)
		state = &own;
	if (pending(state) == PENDING_LOW) {
		if (c)
			*c = (char16_t)state->__value.__wch;
		set_pending(state, 0, 0);
		return (size_t)-3;
	}
	size_t length = mbrtoc32(&whole, s, n, state);
	if (!s || length > n)
		return length;
	if (whole >= 0x10000) {
		set_pending(state, PENDING_LOW, 0xdc00 + ((whole - 0x10000) & 0x3ff));
		whole = 0xd800 + ((whole - 0x10000) >> 10);
	}
	if (c)
		*c = (char16_t)whole;
	return length;
}

size_t c16rtomb(char *restrict s, char16_t c, mbstate_t *restrict state)
{
	static mbstate_t own;
	char32_t whole = c;
	if (!state)
		state = &own;
	if (!s) {
		set_pending(state, 0, 0);
		return 1;
	}
	if (pending(state) == PENDING_HIGH) {
		unsigned high = state->__value.__wch;
		set_pending(state, 0, 0);
		if (c < 0xdc00 || c > 0xdfff)
			return errno = EILSEQ, (size_t)-1;
		whole = 0x10000 + ((high - 0xd800) << 10) + (c - 0xdc00);
	} else if (c >= 0xd800 && c <= 0xdbff) {
		set_pending(state, PENDING_HIGH, c);
		return 0;
	} else if (c >= 0xdc00 && c <= 0xdfff) {
		return errno = EILSEQ, (size_t)-1;
	}
	return c32rtomb(s, whole, state);
}
