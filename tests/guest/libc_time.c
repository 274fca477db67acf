/* SPDX-License-Identifier: MIT */
/* Time: calendar conversions, formats, every clock, sleeping, interval timers and the signals they send. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static void calendar(void)
{
	const time_t times[] = {0, 951782400, 1234567890, 4102444800, -1, -62135596800, 253402300799};
	char text[80];
	setenv("TZ", "UTC0", 1);
	tzset();
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		struct tm tm;
		gmtime_r(&times[i], &tm);
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %a %j %U %y %p %%", &tm);
		printf("%s %d\n", text, timegm(&tm) == times[i]);
	}
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	time_t summer = 1720000000, winter = 1700000000;
	struct tm tm = *localtime(&summer);
	strftime(text, sizeof(text), "%F %T %Z %z", &tm);
	printf("%s %d", text, mktime(&tm) == summer);
	strftime(text, sizeof(text), "%c %Z", localtime(&winter));
	printf(" %s %s", text, ctime(&winter));
	memset(&tm, 0, sizeof(tm));
	char *end = strptime("2024-02-29 13:14:15 rest", "%Y-%m-%d %H:%M:%S", &tm);
	printf("%s %d %d %d %d\n", end, tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_hour);
	tm = (struct tm){.tm_year = 124, .tm_mon = 13, .tm_mday = 40};
	printf("%ld\n", (long)timegm(&tm));
}

static void clocks(void)
{
	const clockid_t ids[] = {CLOCK_REALTIME,          CLOCK_MONOTONIC,     CLOCK_PROCESS_CPUTIME_ID,
	                         CLOCK_THREAD_CPUTIME_ID, CLOCK_MONOTONIC_RAW, CLOCK_REALTIME_COARSE,
	                         CLOCK_MONOTONIC_COARSE,  CLOCK_BOOTTIME};
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		struct timespec before, after, resolution;
		int failed = clock_gettime(ids[i], &before) | clock_gettime(ids[i], &after) |
		             clock_getres(ids[i], &resolution);
		long ns = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
		printf("%d %d %d\n", failed, ns >= 0, resolution.tv_sec == 0);
	}
	struct timespec now;
	errno = 0;
	printf("%d %d\n", clock_gettime(1000, &now), errno == EINVAL);
	struct timeval tv;
	gettimeofday(&tv, NULL);
	clock_gettime(CLOCK_REALTIME, &now);
	printf("%d %d\n", now.tv_sec - tv.tv_sec <= 1, time(NULL) - now.tv_sec <= 1);
	struct tms used;
	printf("%d %d\n", times(&used) != -1, clock() >= 0);
}

static void sleeping(void)
{
	struct timespec before, after, request = {0, 20000000};
	clock_gettime(CLOCK_MONOTONIC, &before);
	printf("%d", nanosleep(&request, NULL));
	clock_gettime(CLOCK_MONOTONIC, &after);
	long ns = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
	printf(" %d", ns >= 20000000);
	after.tv_nsec += 5000000;
	if (after.tv_nsec >= 1000000000) {
		after.tv_sec++;
		after.tv_nsec -= 1000000000;
	}
	printf(" %d %d", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &after, NULL), usleep(1000));
	request.tv_nsec = -1;
	printf(" %d %d\n", nanosleep(&request, NULL), errno == EINVAL);
}

static volatile int alarms;

static void on_alarm(int sig)
{
	alarms += sig == SIGALRM;
}

static void timers(void)
{
	struct sigaction act = {.sa_handler = on_alarm};
	struct itimerval every = {{0, 10000}, {0, 10000}}, off = {{0, 0}, {0, 0}}, now;
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	while (alarms < 3)
		pause();
	getitimer(ITIMER_REAL, &now);
	printf("%d %ld\n", now.it_value.tv_usec <= 10000, (long)now.it_interval.tv_usec);
	setitimer(ITIMER_REAL, &off, NULL);
	alarms = 0;
	struct timespec request = {5, 0}, rest = {0, 0};
	every.it_interval.tv_usec = 0;
	setitimer(ITIMER_REAL, &every, NULL);
	errno = 0;
	printf("%d %d", nanosleep(&request, &rest), errno == EINTR);
	printf(" %d %d\n", rest.tv_sec == 4, alarms);
}

int main(void)
{
	calendar();
	clocks();
	sleeping();
	timers();
	return 0;
}
