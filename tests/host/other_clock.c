/* SPDX-License-Identifier: MIT */
/* Preloaded (ld.so(8)), makes the clock of this machine wrong by $CLOCK_SHIFT seconds. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long shift_s(void)
{
	const char *shift = getenv("CLOCK_SHIFT");
	return shift ? atol(shift) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *at)
{
	int (*real)(clockid_t, struct timespec *) =
		(int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	int result = real(clock, at);
	if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
		at->tv_sec += shift_s();
	return result;
}

time_t time(time_t *at)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (at)
		*at = now.tv_sec;
	return now.tv_sec;
}

int gettimeofday(struct timeval *at, void *zone)
{
	struct timespec now;
	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*at = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
	return 0;
}
