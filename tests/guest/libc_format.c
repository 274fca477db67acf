/* SPDX-License-Identifier: MIT */
/* The printf and scanf families: numbers in every conversion, flag, width and precision, and random ones read back. */
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#include "say.h"

static uint64_t state = 88172645463325252;

static uint64_t random_bits(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static double random_double(void)
{
	double value;
	uint64_t bits;
	do {
		bits = random_bits();
		memcpy(&value, &bits, sizeof(value));
	} while (!isfinite(value));
	return value;
}

/* A hash of long outputs, so that the comparison covers a lot in few lines. */
static uint64_t hash = 0xcbf29ce484222325;

static void add(const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
}

static char buf[20000];

/* snprintf into buf, hashed; a format from a table is no literal. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-overflow"
#pragma GCC diagnostic ignored "-Wformat-truncation"
static void put(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int length = vsnprintf(buf, sizeof(buf), format, args);
	va_end(args);
	if (length < 0 || length >= (int)sizeof(buf))
		snprintf(buf, sizeof(buf), "length %d", length);
	add(buf);
}

static const char *const flags[] = {"", "-", "+", " ", "#", "0", "+0", " #", "-#+", "#0", "- "};
static const char *const widths[] = {"", "1", "8", "25", "60"};
static const char *const precisions[] = {"", ".", ".0", ".1", ".6", ".17", ".40", ".330"};

static void floats(void)
{
	static const double values[] = {0,      -0.0,       1,    -1,     0.5,    1.5,       2.5,      0.1,       9.995,
	                                99.5,   999999,     1e6,  123456, 1e15,   1e16,      1e17,     1e22,      1e23,
	                                1e300,  -1e300,     1e-4, 1e-5,   5e-324, 2.2e-308,  INFINITY, -INFINITY, NAN,
	                                0x1p-3, 0x1.8p1023, 0.3,  1e100,  -12.25, 0x1.fffp9, 1e-300};
	for (const char *c = "feEgGFaA"; *c; c++) {
		hash = 0xcbf29ce484222325;
		for (size_t f = 0; f < sizeof(flags) / sizeof(flags[0]); f++)
			for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++)
				for (size_t p = 0; p < sizeof(precisions) / sizeof(precisions[0]); p++) {
					char format[32], longer[32];
					sprintf(format, "%%%s%s%s%c|", flags[f], widths[w], precisions[p], *c);
					sprintf(longer, "%%%s%s%sL%c|", flags[f], widths[w], precisions[p], *c);
					for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
						put(format, values[v]);
						put(longer, (long double)values[v]);
					}
				}
		printf("%%%c %016" PRIx64 "\n", *c, hash);
	}
}

static void integers(void)
{
	static const long values[] = {0, 1, -1, 7, 8, 255, 256, 1000000, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN};
	static const char *const sizes[] = {"hh", "h", "", "l", "ll", "j", "z", "t"};
	for (const char *c = "diouxX"; *c; c++) {
		hash = 0xcbf29ce484222325;
		for (size_t f = 0; f < sizeof(flags) / sizeof(flags[0]); f++)
			for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++)
				for (size_t p = 0; p < 6; p++)
					for (size_t s = 0; s < 8; s++) {
						char format[32];
						sprintf(format, "%%%s%s%s%s%c|", flags[f], widths[w], precisions[p],
						        sizes[s], *c);
						for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++)
							put(format, values[v]);
					}
		printf("%%%c %016" PRIx64 "\n", *c, hash);
	}
}

static void texts(void)
{
	int count = -1;
	printf("[%s] [%10s] [%-10s] [%.2s] [%.0s] [%5.1s]\n", "text", "text", "text", "text", "text", "text");
	printf("[%c] [%5c] [%-5c]\n", 'x', 'y', 'z');
	printf("[%p] [%20p] [%-20p]\n", (void *)0x1234, (void *)0xabc, (void *)0xabc);
	printf("abc%n %d\n", &count, count);
	printf("[%*d] [%-*d] [%.*f] [%*.*f]\n", 5, 1, -5, 2, 2, 1.005, 9, 3, 2.0);
	printf("[%*d] [%.*d]\n", -6, 3, -1, 4);
	printf("[%%] [%5d%%]\n", 50);
	printf("[%s]\n", (char *)NULL);
	setlocale(LC_ALL, "C.UTF-8");
	printf("[%ls] [%.3ls] [%10ls] [%lc] [%5lc]\n", L"gr\u00fc\u00df", L"gr\u00fc\u00df", L"gr\u00fc", L'\u20ac',
	       L'x');
	printf("[%S] [%C]\n", L"wide", L'\u00e9');
	wchar_t wide[64];
	printf("%d ", swprintf(wide, 64, L"%s %ls %5d %lc %.3f", "na\xc3\xafve", L"wide", 42, L'x', 2.5));
	printf("[%ls]\n", wide);
	printf("%d\n", swprintf(wide, 3, L"%s", "too long"));
	setlocale(LC_ALL, "C");
	printf("%d %d\n", snprintf(NULL, 0, "%d", 12345), snprintf(buf, 3, "%d", 12345));
	printf("%s\n", buf);
	printf("%'d %'.2f\n", 1234567, 1234567.891);
}

static void round_trips(void)
{
	int wrong = 0, wrong_floats = 0, wrong_long = 0;
	hash = 0xcbf29ce484222325;
	for (int i = 0; i < 20000; i++) {
		double value = random_double();
		put("%.17g", value);
		wrong += strtod(buf, NULL) != value;
		snprintf(buf, sizeof(buf), "%a", value);
		wrong += strtod(buf, NULL) != value;
		put("%.9g", (double)(float)value);
		wrong_floats += strtof(buf, NULL) != (float)value;
		put("%.21Lg", value * 3.0L);
		wrong_long += strtold(buf, NULL) != value * 3.0L;
		put("%e %g %.3f", value, value, fmod(value, 1e6));
	}
	printf("%d %d %d %016" PRIx64 "\n", wrong, wrong_floats, wrong_long, hash);
}

/* Numbers of up to 40 digits, near halves of a last place, and around the ends of the range. */
static void reading(void)
{
	static const char *const hard[] = {
		"2.2250738585072012e-308",
		"2.2250738585072011e-308",
		"4.9406564584124654e-324",
		"2.4703282292062328e-324",
		"2.4703282292062327e-324",
		"1.7976931348623157e308",
		"1.7976931348623158e308",
		"1.7976931348623159e308",
		"9007199254740993",
		"9007199254740992.99999999999999999",
		"9007199254740993.00000000000000001",
		"1e309",
		"-1e-400",
		"0x1.fffffffffffff8p0",
		"0x1.fffffffffffff7p0",
		"0x.1p4",
		"0x1p-1074",
		"0x1p-1075",
		"0x1.8p-1075",
		"0x",
		"0xg",
		"0x.p1",
		".5",
		"5.",
		".",
		"+.e1",
		"1e",
		"1e+",
		"1e5x",
		"inf",
		"-INFINITY",
		"infi",
		"nan",
		"nan(12)",
		"nan(",
		"  \t-3.25abc",
		"1_0",
		"100000000000000000000000000000000000000000000000000e-50",
		"",
		"-",
		"-.5e-1",
		"6.0221407621e23",
		"8.5e-2147483649",
		"1e99999999999",
		"0e99999999999",
		"123456789012345678901234567890",
	};
	for (size_t i = 0; i < sizeof(hard) / sizeof(hard[0]); i++) {
		char *end, *end_float;
		errno = 0;
		double value = strtod(hard[i], &end);
		bool overflow = errno == ERANGE && isinf(value); /* of what is too small, errno may tell or not */
		float small = strtof(hard[i], &end_float);
		printf("%s: %.17g %d %d %.9g %d\n", hard[i], value, (int)(end - hard[i]), overflow, (double)small,
		       (int)(end_float - hard[i]));
	}
	hash = 0xcbf29ce484222325;
	for (int i = 0; i < 20000; i++) {
		char text[80], *at = text;
		int digits = 1 + (int)(random_bits() % 40), point = (int)(random_bits() % 40);
		for (int d = 0; d < digits; d++) {
			if (d == point)
				*at++ = '.';
			*at++ = (char)('0' + random_bits() % 10);
		}
		sprintf(at, "e%d", (int)(random_bits() % 640) - 320);
		put("%.17g %.9g", strtod(text, NULL), (double)strtof(text, NULL));
	}
	printf("%016" PRIx64 "\n", hash);
}

static void scanning(void)
{
	int a = 0, b = 0, c = 0;
	char word[32] = "", set[32] = "", *made = NULL;
	long big = 0;
	double value = 0;
	unsigned char tiny = 0;
	printf("%d ", sscanf("12 0x1f 017", "%d %i %i", &a, &b, &c));
	printf("%d %d %d\n", a, b, c);
	printf("%d ", sscanf("word,rest 3.5e2", "%31[^,],%31s %lf", word, set, &value));
	printf("%s %s %g\n", word, set, value);
	printf("%d ", sscanf("abc 99999999999 300", "%*s %ld %hhu%n", &big, &tiny, &a));
	printf("%ld %d %d\n", big, tiny, a);
	printf("%d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a));
	printf("%d ", sscanf("12345", "%2d%3d", &a, &b));
	printf("%d %d\n", a, b);
	printf("%d ", sscanf("allocated text", "%ms", &made));
	printf("%s\n", made ? made : "none");
	free(made);
	made = NULL;
	printf("%d ", sscanf("key=value;", "%m[a-z]=%31[^;]", &made, word));
	printf("%s %s\n", made ? made : "none", word);
	free(made);
	printf("%d ", sscanf("fixed", "%3mc", &made));
	printf("%.3s\n", made ? made : "none");
	free(made);
	printf("%d ", sscanf("5%7", "%d%%%d", &a, &b));
	printf("%d %d\n", a, b);
	printf("%d ", sscanf("ab]c", "%[]ab]%c", set, word));
	printf("%s %c\n", set, word[0]);
	printf("%d ", sscanf("0xg", "%x%c", (unsigned *)&a, word));
	printf("%d\n", a);
	printf("%d ", sscanf("1e 2", "%lf%c", &value, word));
	printf("%g\n", value);
	printf("%d ", sscanf("nan inf", "%lf", &value));
	printf("%d\n", isnan(value) != 0);
}

int main(void)
{
	floats();
	integers();
	texts();
	round_trips();
	reading();
	scanning();
	return 0;
}
