/* SPDX-License-Identifier: MIT */
/* strtol and its kin, narrow and wide: values, where they stop and what they report, over texts and bases. */
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>

#include "say.h"

static const char *const texts[] = {
	"",
	" ",
	"0",
	"00",
	"1",
	"-1",
	"+1",
	"+-1",
	"- 1",
	" \t\n\v\f\r42x",
	"0x",
	"0X",
	"-0x",
	" +0xg",
	"0xg",
	"0x1",
	"0XfF",
	"-0x10z",
	"0x0x1",
	"x1",
	"08",
	"0777",
	"-0777",
	"09",
	"7f",
	"zz",
	"Zz9",
	"10e3",
	"1,000",
	"1 2",
	"2147483647",
	"2147483648",
	"-2147483649",
	"4294967296",
	"9223372036854775807",
	"9223372036854775808",
	"-9223372036854775808",
	"-9223372036854775809",
	"18446744073709551615",
	"18446744073709551616",
	"-18446744073709551615",
	"-18446744073709551616",
	"99999999999999999999999999x",
	"-99999999999999999999999999x",
	"0x7fffffffffffffff",
	"0x8000000000000000",
	"0xffffffffffffffff",
	"0x10000000000000000",
	"1777777777777777777777",
	"2000000000000000000000",
	"1y2p0ij32e8e7",
	"1y2p0ij32e8e8",
	"3w5e11264sgsf",
	"3w5e11264sgsg",
};

static const int bases[] = {0, 2, 8, 10, 16, 36, 1, 37, -1};

/* One function: its value, how far it read (-1: it set no end), and errno; digits of all go into one line. */
#define TRY(function, type, format) \
	do { \
		char *end = NULL; \
		errno = 0; \
		type value = function(text, &end, base); \
		printf(" %" format ":%ld:%s", value, end ? (long)(end - text) : -1L, errno_name(errno)); \
	} while (0)

#define TRY_WIDE(function, type, format) \
	do { \
		wchar_t *end = NULL; \
		errno = 0; \
		type value = function(wide, &end, base); \
		printf(" %" format ":%ld:%s", value, end ? (long)(end - wide) : -1L, errno_name(errno)); \
	} while (0)

static void try_all(const char *text, int base)
{
	wchar_t wide[64];
	swprintf(wide, 64, L"%hs", text);
	printf("[%s] %d", text, base);
	TRY(strtol, long, "ld");
	TRY(strtoul, unsigned long, "lu");
	TRY(strtoll, long long, "lld");
	TRY(strtoull, unsigned long long, "llu");
	TRY(strtoimax, intmax_t, PRIdMAX);
	TRY(strtoumax, uintmax_t, PRIuMAX);
	TRY_WIDE(wcstol, long, "ld");
	TRY_WIDE(wcstoul, unsigned long, "lu");
	TRY_WIDE(wcstoll, long long, "lld");
	TRY_WIDE(wcstoull, unsigned long long, "llu");
	TRY_WIDE(wcstoimax, intmax_t, PRIdMAX);
	TRY_WIDE(wcstoumax, uintmax_t, PRIuMAX);
	printf("\n");
}

static void localized(void)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", NULL);
	char *end;
	const char *text = " 0xyz";
	printf("%ld", strtol_l(text, &end, 16, c));
	printf(" %d", (int)(end - text));
	printf(" %lu", strtoul_l("-1", &end, 0, c));
	printf(" %lld", strtoll_l("0x7g", &end, 0, c));
	printf(" %s\n", end);
	freelocale(c);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		for (size_t j = 0; j < sizeof(bases) / sizeof(bases[0]); j++)
			try_all(texts[i], bases[j]);
	localized();
	printf("%ld %d %lld\n", atol("  -12x"), atoi("0x10"), atoll("9223372036854775807"));
	return 0;
}
