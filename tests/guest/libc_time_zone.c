/* SPDX-License-Identifier: MIT */
/* Zones that cannot be used, after ones that can: universal time, by which name, and no summer time left behind. */
#include <stdlib.h>
#include <time.h>

#include "say.h"

static void show(const char *text)
{
	time_t winter = 0, summer = 1720000000;
	setenv("TZ", text, 1);
	tzset();
	struct tm *tm = localtime(&winter);
	printf("%s: '%s' '%s' %ld %d, %d %s %ld", text, tzname[0], tzname[1], timezone, daylight, tm->tm_hour,
	       tm->tm_zone, tm->tm_gmtoff);
	tm = localtime(&summer);
	printf(", %d %s %ld %ld", tm->tm_hour, tm->tm_zone, tm->tm_gmtoff, (long)mktime(tm));
	for (int dst = -1; dst <= 1; dst++) {
		struct tm day = {.tm_year = 124, .tm_mon = 6, .tm_mday = 1, .tm_isdst = dst};
		printf(" %ld", (long)mktime(&day));
		printf(" %d %d", day.tm_hour, day.tm_isdst);
	}
	printf("\n");
}

int main(void)
{
	static const char *const unusable[] = {"Nowhere/City",      "",    "xx",   ":foo", ":", "AB5", "A",
	                                       "Nowhere/New_York5", "XYZ", "<a>5", "<+05"};
	for (size_t i = 0; i < sizeof(unusable) / sizeof(unusable[0]); i++) {
		show("CET-1CEST,M3.5.0,M10.5.0/3");
		show(unusable[i]);
		show("<+05>-5");
		show(unusable[i]);
	}
	return 0;
}
