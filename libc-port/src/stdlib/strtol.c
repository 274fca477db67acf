/* SPDX-License-Identifier: MIT */
/* strtol and related functions. newlib's differ from Linux for texts without a number and for wrong bases.
 *
 * long, long long and intmax_t are one type here, so there are four functions: narrow and wide, signed and not. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

/* Returns the value of a digit, or 36 for other characters. */
static int digit_of(wint_t character)
{
	if (character >= '0' && character <= '9')
		return (int)(character - '0');
	if (character >= 'a' && character <= 'z')
		return (int)(character - 'a' + 10);
	if (character >= 'A' && character <= 'Z')
		return (int)(character - 'A' + 10);
	return 36;
}

#define SPACE(character) isspace((unsigned char)(character))
#define WIDE_SPACE(character) iswspace((wint_t)(character))

#define PARSE(name, char_type, is_space) \
	static uint64_t name(const char_type *text, char_type **end, int base, bool is_signed) \
	{ \
		const char_type *at = text, *behind = text; \
		uint64_t value = 0; \
		bool negative, overflow = false; \
		if (base < 0 || base == 1 || base > 36) { \
			errno = EINVAL; \
			return 0; \
		} \
		while (is_space(*at)) \
			at++; \
		negative = *at == '-'; \
		at += *at == '-' || *at == '+'; \
		bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && (base == 0 || base == 16); \
		if (hexadecimal && digit_of((wint_t)at[2]) < 16) \
			at += 2; \
		if (base == 0) \
			base = hexadecimal ? 16 : *at == '0' ? 8 : 10; \
		for (int digit; (digit = digit_of((wint_t)*at)) < base; behind = ++at) \
			overflow |= __builtin_mul_overflow(value, (uint64_t)base, &value) || \
			            __builtin_add_overflow(value, (uint64_t)digit, &value); \
		if (end) \
			*end = (char_type *)(uintptr_t)behind; \
		uint64_t most = !is_signed ? UINT64_MAX : negative ? 1UL << 63 : INT64_MAX; \
		if (overflow || value > most) { \
			errno = ERANGE; \
			return most; \
		} \
		return negative ? -value : value; \
	}

PARSE(parse, char, SPACE)
PARSE(parse_wide, wchar_t, WIDE_SPACE)

#define DEFINE(type, name, character, parser, is_signed) \
	type name(const character *restrict text, character **restrict end, int base) \
	{ \
		return (type)parser(text, end, base, is_signed); \
	} \
	type name##_l(const character *restrict text, character **restrict end, int base, locale_t locale) \
	{ \
		(void)locale; \
		return (type)parser(text, end, base, is_signed); \
	}

DEFINE(long, strtol, char, parse, true)
DEFINE(unsigned long, strtoul, char, parse, false)
DEFINE(long long, strtoll, char, parse, true)
DEFINE(unsigned long long, strtoull, char, parse, false)
DEFINE(intmax_t, strtoimax, char, parse, true)
DEFINE(uintmax_t, strtoumax, char, parse, false)
DEFINE(long, wcstol, wchar_t, parse_wide, true)
DEFINE(unsigned long, wcstoul, wchar_t, parse_wide, false)
DEFINE(long long, wcstoll, wchar_t, parse_wide, true)
DEFINE(unsigned long long, wcstoull, wchar_t, parse_wide, false)
DEFINE(intmax_t, wcstoimax, wchar_t, parse_wide, true)
DEFINE(uintmax_t, wcstoumax, wchar_t, parse_wide, false)
