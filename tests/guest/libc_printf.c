/* SPDX-License-Identifier: MIT */
/* printf beyond the single conversion: positional arguments, %m, %p of NULL, %a at the ends of the range, streams. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#include "say.h"

#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-overflow"
#pragma GCC diagnostic ignored "-Wformat-truncation"

static void positional(void)
{
	int count = -1;
	long long_count = -1;
	printf("[%2$s %1$d]\n", 7, "seven");
	printf("[%1$s %1$s %1$10s %1$-10s| %1$.2s]\n", "again");
	printf("[%2$*1$d] [%2$-*1$d] [%2$0*1$d]\n", 8, -42);
	printf("[%3$*1$.*2$f] [%3$.*2$e] [%3$*1$g]\n", 12, 3, 2.71828);
	printf("[%5$c%4$c%3$c%2$c%1$c]\n", 'a', 'b', 'c', 'd', 'e');
	printf("[%1$d %2$ld %3$lld %4$hhd %5$hd %6$zu %7$jd]\n", -1, LONG_MIN, LLONG_MAX, 300, 70000, sizeof(int),
	       (intmax_t)-5);
	printf("[%1$x %1$X %1$#o %1$u %1$+d]\n", 255);
	printf("[%2$Lf %1$f %4$Lg %3$d]\n", 0.5, 1.25L, 9, 1e4000L);
	printf("[%1$d %2$f %3$d %4$f %5$d %6$f %7$d %8$f %9$d %10$f %11$d %12$f %13$s]\n", 1, 1.5, 2, 2.5, 3, 3.5, 4,
	       4.5, 5, 5.5, 6, 6.5, "end");
	printf("[%13$s %12$f %11$d %10$f %9$d %8$f %7$d %6$f %5$d %4$f %3$d %2$f %1$d]\n", 1, 1.5, 2, 2.5, 3, 3.5, 4,
	       4.5, 5, 5.5, 6, 6.5, "end");
	printf("[%9$f %8$f %7$f %6$f %5$f %4$f %3$f %2$f %1$f %10$Lf]\n", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.L);
	printf("five%1$n %2$d%%\n", &count, 100);
	printf("abc%2$ln %1$s\n", "x", &long_count);
	printf("%d %ld\n", count, long_count);
	printf("[%1$p] [%2$p] [%2$10p]\n", (void *)0x1234, NULL);
	printf("[%1$ls] [%2$lc]\n", L"wide", (wint_t)L'w');
	printf("%1$s$ costs %2$d$ and %%1$d\n", "it", 5);
	printf("[%3$d %1$d]\n", 1, 2, 3);
	printf("[%2$*1$d|%3$s]\n", -6, 5, "left");
	printf("[%2$.*1$d] [%3$.*1$s]\n", -1, 5, "all");
}

static void in_buffers(void)
{
	char small[8], big[64], *made = NULL;
	printf("%d ", snprintf(small, sizeof(small), "%2$s %1$s", "world", "hello"));
	printf("[%s]\n", small);
	printf("%d ", snprintf(NULL, 0, "%2$s %1$s", "world", "hello"));
	printf("%d ", sprintf(big, "%2$s %1$s%3$c", "world", "hello", 0));
	printf("[%s]\n", big);
	printf("%d ", asprintf(&made, "%2$500d %1$s", "end", 1));
	printf("%zu [%s]\n", strlen(made), made + 495);
	free(made);
	fflush(stdout);
	printf("%d\n", dprintf(1, "%2$s %1$s\n", "descriptor", "a"));
	FILE *memory = fopen("/dev/null", "w");
	setvbuf(memory, NULL, _IONBF, 0);
	printf("%d\n", fprintf(memory, "%2$3000d %1$s", "end", 1));
	fclose(memory);
}

static void messages(void)
{
	errno = ENOENT;
	printf("[%m] [%30m] [%-30m] [%.7m]\n");
	errno = 0;
	printf("%s: %m %d\n", "word", 5);
	errno = ERANGE;
	printf("%2$s %1$s %m\n", "a", "b");
	printf("%d\n", errno);
	errno = 9999;
	printf("%m\n");
}

static void pointers(void)
{
	void *at = (void *)0x12;
	printf("[%p] [%10p] [%-10p] [%.2p] [%.8p] [%010p]\n", NULL, NULL, NULL, NULL, NULL, NULL);
	printf("[%p] [%20p] [%-20p] [%#p] [%020p]\n", at, at, at, at, at);
	printf("[%p] [%d] [%p]\n", NULL, 7, at);
}

static void hexadecimal(void)
{
	static const double values[] = {
		0,           -0.0, 5e-324, -5e-324,   2.2e-308, 0x0.8p-1022, 0x0.fffffffffffffp-1022,
		DBL_MIN,     1.5,  2.5,    0x1.fffp0, 0x1.08p0, 0x1.18p0,    0x1.fffffffffffffp0,
		DBL_EPSILON, 1e10, 0.1,    DBL_MAX,   INFINITY, -INFINITY,   -1e-310};
	static const long double wide[] = {0,           -0.0L,    1,        -3.5L,    0xf.ffffp0L,  0xf.fp0L,
	                                   0x8.8p0L,    0x9.8p0L, 0x9.cp0L, LDBL_MIN, LDBL_MIN / 2, LDBL_MIN / 16,
	                                   0x1p-16445L, LDBL_MAX, -0.1L,    0xa.8p0L, 0xb.8p0L,     LDBL_EPSILON,
	                                   INFINITY,    1 / 3.0L};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		double v = values[i];
		printf("%a %.0a %.1a %.2A %#.0a %#a|%30.2a|%-30.20a|%030a|% a|%+a|% 025.3a\n", v, v, v, v, v, v, v, v,
		       v, v, v, v);
	}
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
		long double v = wide[i];
		printf("%La %.0La %.1La %.2LA %#.0La|%30.2La|%-30.20La|%030La|%+.14La\n", v, v, v, v, v, v, v, v, v);
		printf("%1$La %1$.15La %1$.14La %1$.16LA\n", v);
	}
}

/* printf takes a stream of its own orientation only. */
static void orientations(void)
{
	FILE *stream = tmpfile();
	fputs("a", stream);
	printf("%d", fwprintf(stream, L"x"));
	printf(" %d\n", fwide(stream, 0) < 0);
	fclose(stream);
	stream = tmpfile();
	fputwc(L'a', stream);
	printf("%d", fprintf(stream, "%d", 1));
	printf(" %d %d\n", fwprintf(stream, L"%d", 12), fwide(stream, 0) > 0);
	fclose(stream);
}

int main(void)
{
	positional();
	in_buffers();
	messages();
	pointers();
	hexadecimal();
	orientations();
	return 0;
}
