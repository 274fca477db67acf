/* SPDX-License-Identifier: MIT */
/* Programs that find out how much work takes some time: they double it until it took that long by one of the clocks of
 * processor time. A program that looks now and then pays little for it. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS_MAX 40

static int64_t ns_of(clockid_t clock)
{
	struct timespec now;
	if (clock_gettime(clock, &now))
		abort();
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int64_t by_process(void)
{
	return ns_of(CLOCK_PROCESS_CPUTIME_ID);
}

static int64_t by_thread(void)
{
	return ns_of(CLOCK_THREAD_CPUTIME_ID);
}

static int64_t by_own_number(void)
{
	clockid_t clock;
	if (pthread_getcpuclockid(pthread_self(), &clock))
		abort();
	return ns_of(clock);
}

static int64_t by_clock(void)
{
	return clock() * (1000000000LL / CLOCKS_PER_SEC);
}

static int64_t by_times(void)
{
	struct tms used;
	times(&used);
	return (used.tms_utime + used.tms_stime) * (1000000000LL / sysconf(_SC_CLK_TCK));
}

static int64_t by_usage(void)
{
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000LL +
	       (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000LL;
}

static void work(uint64_t count)
{
	static volatile uint32_t state = 1;
	for (uint64_t i = 0; i < count; i++)
		state = state * 1664525 + 1013904223;
}

static void calibrate(const char *name, int64_t (*now)(void), int64_t wanted_ns)
{
	int rounds = 0;
	for (uint64_t count = 1000; rounds < ROUNDS_MAX; count *= 2, rounds++) {
		int64_t start = now();
		work(count);
		if (now() - start >= wanted_ns)
			break;
	}
	printf("%s: %s\n", name, rounds < ROUNDS_MAX ? "comes to an end" : "does not end");
}

int main(void)
{
	int64_t before = by_process();
	for (int i = 0; i < 1000; i++) {
		getppid();
		getpgrp();
		by_process();
	}
	printf("a thousand looks between other calls: %s\n", by_process() - before < 50000000 ? "cheap" : "dear");
	calibrate("CLOCK_PROCESS_CPUTIME_ID", by_process, 100000000);
	calibrate("CLOCK_THREAD_CPUTIME_ID", by_thread, 100000000);
	calibrate("pthread_getcpuclockid", by_own_number, 100000000);
	calibrate("clock", by_clock, 1000000000);
	calibrate("times", by_times, 100000000);
	calibrate("getrusage", by_usage, 100000000);
	return 0;
}
