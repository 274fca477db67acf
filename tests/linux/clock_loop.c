/* SPDX-License-Identifier: MIT */
/* Work until a time has come: it is not done a hundred times as often as natively, although only looks at the clock
 * take virtual time. A program that looks now and then pays nothing for it. */
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NS_A_TURN 100 /* at least, natively by far; a bare look at the clock was 50 in a guest */

static int64_t by_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int64_t by_day(void)
{
	struct timeval now;
	gettimeofday(&now, NULL);
	return now.tv_sec * 1000000000LL + now.tv_usec * 1000LL;
}

static int64_t by_second(void)
{
	return time(NULL) * 1000000000LL;
}

static void work(void)
{
	static volatile uint32_t state = 1;
	for (int i = 0; i < 2000; i++)
		state = state * 1664525 + 1013904223;
}

static void loop(const char *name, int64_t (*now)(void), int64_t ns)
{
	long turns = 0;
	for (int64_t end = now() + ns; now() < end; turns++)
		work();
	printf("%s: %s\n", name, turns <= ns / NS_A_TURN ? "as often as it should" : "too often");
}

int main(void)
{
	int64_t before = by_clock(), after;
	for (int i = 0; i < 1000; i++) {
		getppid();
		after = by_clock();
	}
	printf("a thousand looks between other calls: %s\n", after - before < 10000000 ? "cheap" : "dear");
	loop("clock_gettime", by_clock, 100000000);
	loop("gettimeofday", by_day, 100000000);
	loop("time", by_second, 1000000000);
	return 0;
}
