/* SPDX-License-Identifier: MIT
 * eremite-options: --epoch 2024-02-29T23:59:58.5Z --timeout 20
 */
/* Virtual time: it never goes back, a sleep takes none of the host's, and all clocks agree. */
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

static long long ns(clockid_t clock)
{
	struct timespec ts;
	if (clock_gettime(clock, &ts))
		return -1;
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

int main(void)
{
	struct timespec hour = {3600, 0}, until;
	struct rusage usage;
	struct tms tms;
	char text[40];
	time_t now = time(NULL);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	puts(text);
	for (int clock = 0; clock < 12; clock++) {
		if (ns(clock) == -1) {
			printf("clock %d: %s\n", clock, errno_name(errno));
			continue;
		}
		int back = 0;
		long long last = ns(clock);
		for (int i = 0; i < 1000; i++) {
			long long next = ns(clock);
			back += next < last;
			last = next;
		}
		printf("clock %d: %d steps back\n", clock, back);
	}
	long long before = ns(CLOCK_MONOTONIC), cpu = ns(CLOCK_PROCESS_CPUTIME_ID), real = ns(CLOCK_REALTIME);
	for (int i = 0; i < 24 * 365; i++)
		nanosleep(&hour, NULL);
	long long slept = ns(CLOCK_MONOTONIC) - before;
	SAY_TRUE(slept >= 365LL * 86400 * 1000000000 && slept < 365LL * 86400 * 1000000000 + 100000000);
	SAY_TRUE(ns(CLOCK_REALTIME) - real - slept < 1000000);
	SAY_TRUE(ns(CLOCK_PROCESS_CPUTIME_ID) - cpu < 100000000);
	now = time(NULL);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M", gmtime(&now));
	puts(text);
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += 5;
	SAY(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));
	long long late = ns(CLOCK_MONOTONIC) - (until.tv_sec * 1000000000LL + until.tv_nsec);
	SAY_TRUE(late >= 0 && late < 1000000);
	SAY(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));
	until.tv_nsec = 1000000000;
	SAY_TRUE(clock_nanosleep(CLOCK_MONOTONIC, 0, &until, NULL) == EINVAL);
	SAY(sleep(100));
	SAY(usleep(100));
	SAY_TRUE(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_utime.tv_sec == 0);
	SAY_TRUE(times(&tms) > 0 && tms.tms_cutime == 0);
	SAY(clock_settime(CLOCK_REALTIME, &until));
	return 0;
}
