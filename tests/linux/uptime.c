/* SPDX-License-Identifier: MIT */
/* The boot lies before the program's start. All that counts from it agrees: CLOCK_MONOTONIC, CLOCK_BOOTTIME,
 * sysinfo(2), /proc/uptime, btime, starttime. Absolute deadlines on these clocks come when they should. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000L

static double seconds_of(clockid_t clock)
{
	struct timespec now;
	return clock_gettime(clock, &now) ? -1 : (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The number after `name` in a file. */
static double read_number(const char *path, const char *name)
{
	static char text[1 << 20];
	FILE *file = fopen(path, "r");
	size_t bytes = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
	if (file)
		fclose(file);
	text[bytes] = 0;
	const char *at = strstr(text, name);
	return at ? atof(at + strlen(name)) : -1;
}

/* starttime, the 22nd field of /proc/self/stat, in seconds. */
static double read_start(void)
{
	char text[1024] = "";
	FILE *file = fopen("/proc/self/stat", "r");
	const char *at = file && fgets(text, sizeof(text), file) ? strrchr(text, ')') : NULL;
	if (file)
		fclose(file);
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? atof(at) / (double)sysconf(_SC_CLK_TCK) : -1;
}

static void check_near(const char *what, double a, double b, double most)
{
	printf("%s: %s\n", what, a - b <= most && b - a <= most ? "agrees" : "differs");
}

static struct timespec soon(clockid_t clock)
{
	struct timespec then;
	clock_gettime(clock, &then);
	then.tv_nsec += 20 * MS;
	then.tv_sec += then.tv_nsec / 1000000000;
	then.tv_nsec %= 1000000000;
	return then;
}

static void check_past(const char *what, clockid_t clock, struct timespec then)
{
	struct timespec now;
	clock_gettime(clock, &now);
	int64_t late = (now.tv_sec - then.tv_sec) * 1000 + (now.tv_nsec - then.tv_nsec) / MS;
	printf("%s: %s\n", what, now.tv_sec < then.tv_sec || late < 0 ? "early" : late < 20000 ? "in time" : "late");
}

static void check_deadlines(void)
{
	static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_BOOTTIME};
	for (int i = 0; i < 2; i++) {
		struct timespec then = soon(clocks[i]);
		clock_nanosleep(clocks[i], TIMER_ABSTIME, &then, NULL);
		check_past("clock_nanosleep", clocks[i], then);

		int fd = timerfd_create(clocks[i], 0);
		struct pollfd poller = {.fd = fd, .events = POLLIN};
		struct itimerspec value = {.it_value = soon(clocks[i])};
		timerfd_settime(fd, TFD_TIMER_ABSTIME, &value, NULL);
		printf("poll: %d\n", poll(&poller, 1, 20000));
		check_past("timerfd", clocks[i], value.it_value);
		close(fd);

		sigset_t set;
		timer_t timer;
		struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
		const struct timespec most = {20, 0};
		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		sigprocmask(SIG_BLOCK, &set, NULL);
		timer_create(clocks[i], &event, &timer);
		value.it_value = soon(clocks[i]);
		timer_settime(timer, TIMER_ABSTIME, &value, NULL);
		printf("sigtimedwait: %d\n", sigtimedwait(&set, NULL, &most) == SIGUSR1);
		check_past("timer", clocks[i], value.it_value);
		timer_delete(timer);
	}
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_condattr_t attribute;
	pthread_cond_t never;
	struct timespec then = soon(CLOCK_MONOTONIC);
	pthread_condattr_init(&attribute);
	pthread_condattr_setclock(&attribute, CLOCK_MONOTONIC);
	pthread_cond_init(&never, &attribute);
	pthread_mutex_lock(&mutex);
	printf("pthread_cond_timedwait: %d\n", pthread_cond_timedwait(&never, &mutex, &then) == ETIMEDOUT);
	check_past("condition", CLOCK_MONOTONIC, then);
	pthread_mutex_unlock(&mutex);
}

int main(void)
{
	struct sysinfo info;
	double up = seconds_of(CLOCK_BOOTTIME), start = read_start();
	sysinfo(&info);
	printf("the boot is %s\n", up > 1 && seconds_of(CLOCK_MONOTONIC) > 1 ? "earlier" : "now");
	check_near("sysinfo", (double)info.uptime, up, 5);
	check_near("/proc/uptime", read_number("/proc/uptime", ""), up, 5);
	check_near("btime", read_number("/proc/stat", "\nbtime "), seconds_of(CLOCK_REALTIME) - up, 5);
	printf("the process began %s\n", start > 1 && start <= up + 1 ? "after the boot" : "at another time");
	check_near("starttime", start, up, 20);
	check_deadlines();
	return 0;
}
