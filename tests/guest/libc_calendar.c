/* SPDX-License-Identifier: MIT */
/* The calendar: TZ in all its forms, mktime, strftime and strptime, over a century and a half. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"

#define START 31536000L /* 1971: glibc has the rules of 1970 for all years before */
#define END 4102444800L /* 2100 */
#define HOUR 3600

static unsigned long hash;

static void add(const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
}

static const char *const zones[] = {
	"UTC0",
	"EST5",
	"EST5EDT,M3.2.0,M11.1.0",
	"CET-1CEST,M3.5.0,M10.5.0/3",
	"NZST-12NZDT,M9.5.0,M4.1.0/3",
	"IST-5:30",
	"NST3:30NDT,M3.2.0,M11.1.0",
	"<+0330>-3:30<+0430>,J79/24,J263/24",
	"AAA3BBB,J60,J300",
	"AAA3BBB,59,300",
	"AAA-3BBB-5,59/1,300/3",
	"<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
	"IST-1GMT0,M10.5.0,M3.5.0/1",
	"XXX-12:45:30",
	"WET0WEST,M3.5.0/1,M10.5.0",
	"EET-2EEST,M3.5.0/3,M10.5.0/4",
	"AEST-10AEDT,M10.1.0,M4.1.0/3",
	"",
	":UTC",
	"garbage",
	"UTC",
	"GMT0",
	"<+00>0",
};

/* Whether no clock is put within four hours: what an undecided time means depends on what was asked before, in glibc.
 */
static int is_plain(time_t time)
{
	time_t before = time - 4 * HOUR, after = time + 4 * HOUR;
	struct tm a, b;
	localtime_r(&before, &a);
	localtime_r(&after, &b);
	return a.tm_gmtoff == b.tm_gmtoff;
}

static void zone(const char *name)
{
	int wrong = 0;
	char text[200];
	setenv("TZ", name, 1);
	tzset();
	hash = 0xcbf29ce484222325;
	for (time_t t = START; t < END; t += 6 * HOUR + 1) {
		struct tm tm, moved;
		localtime_r(&t, &tm);
		snprintf(text, sizeof(text), "%d %d %d %d %d %d %d %d %d %ld %s", tm.tm_year, tm.tm_mon, tm.tm_mday,
		         tm.tm_hour, tm.tm_min, tm.tm_sec, tm.tm_wday, tm.tm_yday, tm.tm_isdst, tm.tm_gmtoff,
		         tm.tm_zone);
		add(text);
		moved = tm;
		wrong += mktime(&moved) != t;
		moved = tm;
		moved.tm_isdst = -1;
		moved.tm_mon += 13;
		moved.tm_mday -= 400;
		moved.tm_hour += 30;
		time_t later = mktime(&moved);
		if (!is_plain(later))
			continue;
		snprintf(text, sizeof(text), "%ld %d %d", later, moved.tm_isdst, moved.tm_mday);
		add(text);
	}
	printf("%s: %s %s %ld %d %016lx %d\n", name, tzname[0], tzname[1], timezone, daylight, hash, wrong);
}

/* Clock times that come twice or never, with what the caller says of them. */
static void edges(void)
{
	static const char *const names[] = {"CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0"};
	static const struct tm times[] = {
		{.tm_year = 124, .tm_mon = 2, .tm_mday = 31, .tm_hour = 2, .tm_min = 30},
		{.tm_year = 124, .tm_mon = 9, .tm_mday = 27, .tm_hour = 2, .tm_min = 30},
		{.tm_year = 124, .tm_mon = 2, .tm_mday = 10, .tm_hour = 2, .tm_min = 30},
		{.tm_year = 124, .tm_mon = 10, .tm_mday = 3, .tm_hour = 1, .tm_min = 30},
		{.tm_year = 124, .tm_mon = 6, .tm_mday = 1, .tm_hour = 12},
		{.tm_year = 124, .tm_mon = 0, .tm_mday = 1, .tm_hour = 12},
	};
	for (int n = 0; n < 2; n++) {
		setenv("TZ", names[n], 1);
		for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
			for (int summer = 0; summer < 2; summer++) {
				struct tm tm = times[i];
				tm.tm_isdst = summer;
				long result = mktime(&tm);
				printf("%ld %d:%02d %d\n", result, tm.tm_hour, tm.tm_min, tm.tm_isdst);
			}
	}
}

static void formats(void)
{
	static const char *const others[] = {
		"%Ec",   "%EC", "%Ex", "%EX", "%Ey",  "%EY",   "%Od",   "%Oe",   "%OH", "%OI", "%Om",  "%OM",
		"%OS",   "%Ou", "%OU", "%OV", "%Ow",  "%OW",   "%Oy",   "%-d",   "%_d", "%0e", "%^a",  "%#Z",
		"%10Y",  "%-H", "%+",  "%5d", "%_5S", "%010d", "%^B",   "%#p",   "%Q",  "%",   "%-j",  "%:z",
		"%_H",   "%-I", "%-m", "%e",  "%12D", "%_12D", "%^10c", "%012F", "%#a", "%#c", "%-5d", "%10A",
		"%010A", "%-Y", "%^p", "%#B", "%3n",  "%_z",   "%Ez",   "%OZ",   "%Ed", "%-e", "%-l"};
	char text[200], format[4] = "%";
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	for (const char *letter = "aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%"; *letter; letter++) {
		hash = 0xcbf29ce484222325;
		format[1] = *letter;
		for (time_t t = START; t < END; t += 20 * HOUR + 7) {
			struct tm tm;
			size_t length = strftime(text, sizeof(text), format, localtime_r(&t, &tm));
			text[length] = 0;
			add(text);
		}
		printf("%s %016lx %s\n", format, hash, text);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		time_t t = 1000000000 + 31536000 * 3 + 86400 * 130;
		struct tm tm;
		text[0] = 0;
		size_t length = strftime(text, sizeof(text), others[i], gmtime_r(&t, &tm));
		printf("%s %zu [%s]\n", others[i], length, text);
	}
	for (int year = -3000; year < 12000; year += 1111) {
		struct tm tm = {.tm_year = year - 1900, .tm_mday = 1, .tm_wday = 3, .tm_yday = 5};
		strftime(text, sizeof(text), "%Y|%C|%y|%G|%g|%F|%D|%U|%W|%V|%5Y|%_5Y|%-y", &tm);
		puts(text);
	}
	struct tm odd = {.tm_mon = 12, .tm_wday = -1, .tm_hour = 30, .tm_isdst = -1};
	printf("%zu %s\n", strftime(text, sizeof(text), "%a %B %I %p [%z]", &odd), text);
	printf("%zu", strftime(text, 5, "%Y-%m", &odd));
	printf(" %zu %zu\n", strftime(text, 8, "%Y-%m", &odd), strftime(text, 7, "%Y-%m", &odd));
}

static void ends(void)
{
	static const time_t times[] = {
		-1,           0,           67768036191676799, 67768036191676800, -67768040609740800, -67768040609740801,
		-62135596801, 253402300800};
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		struct tm tm = {0};
		errno = 0;
		struct tm *made = gmtime_r(&times[i], &tm);
		printf("%ld %d %d %d", times[i], made != NULL, made ? tm.tm_year : 0, made ? tm.tm_yday : 0);
		printf(" %d %d\n", errno == EOVERFLOW, made ? timegm(&tm) == times[i] : 0);
	}
}

static void reading(void)
{
	static const char *const cases[][2] = {{"2024-02-29", "%Y-%m-%d"},
	                                       {"2024-02-29 23:59:60", "%F %T"},
	                                       {"Thu Feb 29 2024", "%a %b %d %Y"},
	                                       {"thursday february 5", "%A %B %d"},
	                                       {"12:30 pm", "%I:%M %p"},
	                                       {"12:30 AM", "%I:%M %p"},
	                                       {"1000000000", "%s"},
	                                       {"366", "%j"},
	                                       {"69", "%y"},
	                                       {"68", "%y"},
	                                       {"20 24", "%C %y"},
	                                       {"+0530", "%z"},
	                                       {"-08:00", "%z"},
	                                       {"Z", "%z"},
	                                       {"EST", "%Z"},
	                                       {"5/6/07", "%D"},
	                                       {"05/06/07 01:02:03", "%x %X"},
	                                       {"Thu Feb 29 01:02:03 2024", "%c"},
	                                       {"01:02:03 PM", "%r"},
	                                       {"13:45", "%R"},
	                                       {"  7", "%e"},
	                                       {"60", "%M"},
	                                       {"24", "%H"},
	                                       {"13", "%m"},
	                                       {"32", "%d"},
	                                       {"abc", "%d"},
	                                       {"2024", "%Y "},
	                                       {" 2024", "%n%Y"},
	                                       {"2024 5", "%Y %U"},
	                                       {"2024 10 1", "%Y %W %w"},
	                                       {"2024 100", "%Y %j"},
	                                       {"%5", "%%%d"},
	                                       {"2024", "%G"},
	                                       {"12", "%V"},
	                                       {"7", "%u"},
	                                       {"-5", "%Y"},
	                                       {"12345", "%Y"},
	                                       {"1 2", "%k %l"},
	                                       {"3", "%h"},
	                                       {"jan", "%h"},
	                                       {"x2024", "x%Y"},
	                                       {"2024-2", "%EY-%Om"}};
	setenv("TZ", "UTC0", 1);
	tzset();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tm tm = {-7, -7, -7, -7, -7, -7, -7, -7, 0, 0, NULL};
		char *end = strptime(cases[i][0], cases[i][1], &tm);
		printf("%s by %s: %d", cases[i][0], cases[i][1], end ? (int)(end - cases[i][0]) : -1);
		if (end)
			printf(" %d-%d-%d %d:%d:%d %d %d %ld", tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_hour, tm.tm_min,
			       tm.tm_sec, tm.tm_wday, tm.tm_yday, tm.tm_gmtoff);
		printf("\n");
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++)
		zone(zones[i]);
	edges();
	formats();
	ends();
	reading();
	return 0;
}
