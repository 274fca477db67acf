/* SPDX-License-Identifier: MIT */
/* timerfd_create(2): relative, absolute and repeating timers, what is left of them, errors, poll. */
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define MS 1000000L

static struct itimerspec timer(long value_ns, long interval_ns)
{
	return (struct itimerspec){.it_value = {value_ns / 1000000000, value_ns % 1000000000},
	                           .it_interval = {interval_ns / 1000000000, interval_ns % 1000000000}};
}

static long set(int fd, long value_ns, long interval_ns)
{
	struct itimerspec wanted = timer(value_ns, interval_ns);
	return timerfd_settime(fd, 0, &wanted, NULL);
}

static long take(int fd)
{
	uint64_t ticks;
	return read(fd, &ticks, sizeof(ticks)) == 8 ? (long)ticks : -1;
}

static int wait_for(int fd, int timeout_ms)
{
	struct pollfd pollfd = {fd, POLLIN, 0};
	return poll(&pollfd, 1, timeout_ms);
}

static void show(int fd)
{
	struct itimerspec now;
	SAY(timerfd_gettime(fd, &now));
	printf("left %s, interval %ld.%09ld\n", now.it_value.tv_sec || now.it_value.tv_nsec ? "some" : "none",
	       now.it_interval.tv_sec, now.it_interval.tv_nsec);
}

static void errors(int fd)
{
	struct itimerspec bad = {.it_value = {0, 1000000000}}, good = timer(MS, 0);
	SAY(timerfd_create(2, 0));
	SAY(timerfd_create(CLOCK_MONOTONIC, 1));
	SAY(timerfd_settime(fd, 0, &bad, NULL));
	SAY(timerfd_settime(fd, 4, &good, NULL));
	SAY(timerfd_settime(0, 0, &good, NULL));
	SAY(timerfd_settime(99, 0, &good, NULL));
	SAY(timerfd_settime(fd, 0, (void *)8, NULL));
	SAY(timerfd_gettime(fd, (void *)8));
	SAY(timerfd_gettime(0, &good));
	SAY(read(fd, &good, 7));
	SAY(write(fd, &good, 8));
}

static void absolute(int clock, int flags)
{
	struct timespec now;
	int fd = timerfd_create(clock, 0);
	clock_gettime(clock, &now);
	long soon_ns = now.tv_nsec + 100 * MS;
	struct itimerspec at = {.it_value = {now.tv_sec + soon_ns / 1000000000, soon_ns % 1000000000}};
	SAY(timerfd_settime(fd, TFD_TIMER_ABSTIME | flags, &at, NULL));
	SAY(wait_for(fd, 1));
	SAY(take(fd));
	clock_gettime(clock, &now);
	SAY_TRUE(now.tv_sec > at.it_value.tv_sec ||
	         (now.tv_sec == at.it_value.tv_sec && now.tv_nsec >= at.it_value.tv_nsec));
	at.it_value.tv_sec = 1;
	SAY(timerfd_settime(fd, TFD_TIMER_ABSTIME | flags, &at, NULL)); /* long past */
	SAY(take(fd));
	close(fd);
}

int main(void)
{
	struct itimerspec wanted, old;
	struct timespec pause = {0, 55 * MS};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	SAY(fcntl(fd, F_GETFL));
	SAY(fcntl(fd, F_GETFD));
	errors(fd);
	SAY(take(fd));
	show(fd);
	SAY(set(fd, 20 * MS, 0));
	show(fd);
	SAY(take(fd));
	SAY(wait_for(fd, 2000));
	show(fd);
	SAY(take(fd));
	SAY(take(fd));
	SAY(set(fd, 10 * MS, 1000 * MS));
	SAY(wait_for(fd, 5000));
	show(fd);
	SAY(take(fd));
	SAY(set(fd, 10 * MS, 20 * MS));
	nanosleep(&pause, NULL);
	SAY_TRUE(take(fd) >= 3);
	SAY(wait_for(fd, -1));
	SAY_TRUE(take(fd) >= 1);
	wanted = timer(0, 30 * MS);
	SAY(timerfd_settime(fd, 0, &wanted, &old));
	printf("old interval %ld\n", old.it_interval.tv_nsec);
	show(fd);
	SAY(wait_for(fd, 30));
	fcntl(fd, F_SETFL, 0);
	SAY(set(fd, 30 * MS, 0));
	SAY(take(fd));
	SAY(set(fd, 10 * MS, 0));
	nanosleep(&pause, NULL);
	SAY(set(fd, 10000 * MS, 0)); /* what expired is forgotten */
	SAY(wait_for(fd, 10));
	absolute(CLOCK_MONOTONIC, 0);
	absolute(CLOCK_REALTIME, 0);
	absolute(CLOCK_REALTIME, TFD_TIMER_CANCEL_ON_SET);
	absolute(CLOCK_BOOTTIME, 0);
	return 0;
}
