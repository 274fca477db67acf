/* SPDX-License-Identifier: MIT */
/* Formatted and buffered input and output: printf, scanf, FILE streams in files and in memory. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static void formats(void)
{
	printf("%d %5d|%-5d|%05d %+d %x %#X %o %u\n", 42, 42, 42, 42, 42, 255, 255, 8, 3000000000U);
	printf("%ld %lld %zu %jd %td %hhd %hd\n", LONG_MIN, LLONG_MAX, (size_t)-1, (intmax_t)-5, (ptrdiff_t)7, (char)-1,
	       (short)-2);
	printf("%f %.3f %e %g %G %a\n", 3.14159265358979, 2.5, 123456.789, 1e-10, 1e20, 1.0);
	printf("%.17g %.17g %.17g\n", 0.1, 1.0 / 3, 5e-324);
	printf("%f %f %F %g\n", 1.0 / 0.0, -1.0 / 0.0, 1.0 / 0.0, -0.0);
	printf("%Lf %.20Lg\n", 1.5L, 1.0L / 3);
	printf("%s|%10s|%-10s|%.2s|%c|%%\n", "text", "right", "left", "cut", 'c');
	printf("%*d|%-*d|%.*f\n", 6, 42, 6, 42, 3, 2.0);
	printf("%" PRId64 " %" PRIx32 " %p\n", INT64_C(-1), UINT32_C(0xdeadbeef), (void *)0x1234);
	printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 1e22);
	char buf[8];
	const char *volatile text = "much too long";
	int wanted = snprintf(buf, sizeof(buf), "%s", text);
	printf("%d %s\n", wanted, buf);
	wchar_t wide[16];
	swprintf(wide, 16, L"%d-%ls", 7, L"wide");
	printf("%ls\n", wide);
}

static void scans(void)
{
	int i, n, count;
	unsigned x;
	double d;
	char word[16], set[16];
	count = sscanf("  42 0x1f 2.5e3 word abc123", "%d %x %lf %15s %15[a-z]%n", &i, &x, &d, word, set, &n);
	printf("%d: %d %u %g %s %s %d\n", count, i, x, d, word, set, n);
	printf("%d %d\n", sscanf("x", "%d", &i), sscanf("", "%d", &i));
	char *end;
	d = strtod("0x1.8p3tail", &end);
	printf("%.17g %s\n", d, end);
	printf("%.17g\n", strtod("179769313486231570000000000000000000000e270", NULL));
	errno = 0;
	printf("%g", strtod("1e999", NULL));
	printf(" %d\n", errno == ERANGE);
	errno = 0;
	printf("%ld", strtol("99999999999999999999", NULL, 10));
	printf(" %d\n", errno == ERANGE);
	printf("%ld %ld %lu\n", strtol("-0x7f", NULL, 0), strtol("z", NULL, 36), strtoul("-1", NULL, 10));
}

static void streams(void)
{
	char line[64];
	FILE *file = tmpfile();
	fprintf(file, "first line\nsecond line\n");
	for (int i = 0; i < 5000; i++)
		fprintf(file, "%d\n", i);
	long end = ftell(file);
	rewind(file);
	printf("%s", fgets(line, sizeof(line), file));
	printf("at %ld of %ld\n", ftell(file), end);
	fseek(file, -5, SEEK_END);
	printf("%s", fgets(line, sizeof(line), file));
	printf("%d %d\n", fgetc(file), feof(file) != 0);
	clearerr(file);
	fseek(file, 6, SEEK_SET);
	ungetc('X', file);
	printf("%s", fgets(line, sizeof(line), file));
	fseek(file, 0, SEEK_SET);
	fputs("FIRST", file);
	fflush(file);
	rewind(file);
	size_t got = fread(line, 1, 10, file);
	printf("%zu %.10s\n", got, line);
	fclose(file);

	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	for (int i = 0; i < 100; i++)
		fprintf(memory, "%d,", i);
	fclose(memory);
	printf("%zu %.20s\n", size, text);
	memory = fmemopen(text, size, "r");
	char *got_line = NULL;
	size_t room = 0;
	printf("%zd", getdelim(&got_line, &room, ',', memory));
	printf(" %s\n", got_line);
	fclose(memory);
	free(text);
	free(got_line);

	errno = 0;
	printf("%d", fopen("/nothing/here", "r") == NULL);
	printf(" %s\n", strerror(errno));
	printf("%d\n", fputs("x", stdin) < 0);
}

int main(void)
{
	formats();
	scans();
	streams();
	return 0;
}
