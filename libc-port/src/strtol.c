/* SPDX-License-Identifier: MIT */
/* strtol and its kin: over newlib's, which find no number in a "0x" that no digit follows. It is a 0 before an x. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

/* The x of such a text, or text itself. */
static const char *zero_end(const char *text, int base)
{
	const char *at = text;
	if (base != 0 && base != 16)
		return text;
	while (isspace((unsigned char)*at))
		at++;
	at += *at == '+' || *at == '-';
	return at[0] == '0' && (at[1] == 'x' || at[1] == 'X') ? at + 1 : text;
}

static const wchar_t *wide_zero_end(const wchar_t *text, int base)
{
	const wchar_t *at = text;
	if (base != 0 && base != 16)
		return text;
	while (iswspace((wint_t)*at))
		at++;
	at += *at == L'+' || *at == L'-';
	return at[0] == L'0' && (at[1] == L'x' || at[1] == L'X') ? at + 1 : text;
}

/* newlib's own are renamed when its archive is put together (newlib.mk). */
#define OVER(type, name, character, zero) \
	type __newlib_##name(const character *restrict text, character **restrict end, int base); \
	type __newlib_##name##_l(const character *restrict text, character **restrict end, int base, locale_t locale); \
	type name(const character *restrict text, character **restrict end, int base) \
	{ \
		type number = __newlib_##name(text, end, base); \
		if (end && *end == text) \
			*end = (character *)(unsigned long)zero(text, base); \
		return number; \
	} \
	type name##_l(const character *restrict text, character **restrict end, int base, locale_t locale) \
	{ \
		type number = __newlib_##name##_l(text, end, base, locale); \
		if (end && *end == text) \
			*end = (character *)(unsigned long)zero(text, base); \
		return number; \
	}

OVER(long, strtol, char, zero_end)
OVER(unsigned long, strtoul, char, zero_end)
OVER(long long, strtoll, char, zero_end)
OVER(unsigned long long, strtoull, char, zero_end)
OVER(intmax_t, strtoimax, char, zero_end)
OVER(uintmax_t, strtoumax, char, zero_end)
OVER(long, wcstol, wchar_t, wide_zero_end)
OVER(unsigned long, wcstoul, wchar_t, wide_zero_end)
OVER(long long, wcstoll, wchar_t, wide_zero_end)
OVER(unsigned long long, wcstoull, wchar_t, wide_zero_end)
OVER(intmax_t, wcstoimax, wchar_t, wide_zero_end)
OVER(uintmax_t, wcstoumax, wchar_t, wide_zero_end)
