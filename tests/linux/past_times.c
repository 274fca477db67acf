/* SPDX-License-Identifier: MIT */
/* Absolute times in the past, before the start of a run too: timers that repeat have expired since as often as they
 * would have, and waits end at once. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/say.h"

/* Half a second early, so that the time that this program takes changes no whole number. */
static struct timespec ago(int clock, long seconds)
{
	struct timespec then;
	clock_gettime(clock, &then);
	then.tv_sec -= seconds;
	then.tv_nsec += 500000000;
	if (then.tv_nsec >= 1000000000) {
		then.tv_nsec -= 1000000000;
		then.tv_sec++;
	}
	return then;
}

static void show_left(const struct itimerspec *now)
{
	printf("left %ld.%ld s, interval %ld s\n", now->it_value.tv_sec, now->it_value.tv_nsec / 100000000,
	       now->it_interval.tv_sec);
}

static void read_timer(int clock, struct timespec first, long interval)
{
	struct itimerspec at = {.it_value = first, .it_interval = {interval, 0}}, now;
	uint64_t ticks = 0;
	int fd = timerfd_create(clock, TFD_NONBLOCK);
	SAY(timerfd_settime(fd, TFD_TIMER_ABSTIME, &at, NULL));
	SAY(read(fd, &ticks, sizeof(ticks)));
	printf("%lu expirations\n", ticks);
	SAY(timerfd_gettime(fd, &now));
	show_left(&now);
	SAY(read(fd, &ticks, sizeof(ticks)));
	close(fd);
}

/* Looked at before it is read. */
static void look_at_timer(void)
{
	struct itimerspec at = {.it_value = ago(CLOCK_REALTIME, 10), .it_interval = {3, 0}}, now;
	uint64_t ticks = 0;
	int fd = timerfd_create(CLOCK_REALTIME, 0);
	SAY(timerfd_settime(fd, TFD_TIMER_ABSTIME, &at, NULL));
	SAY(timerfd_gettime(fd, &now));
	show_left(&now);
	SAY(timerfd_settime(fd, TFD_TIMER_ABSTIME, &at, &now));
	show_left(&now);
	SAY(read(fd, &ticks, sizeof(ticks)));
	printf("%lu expirations\n", ticks);
	close(fd);
}

static void signal_timer(int clock, struct timespec first, long interval)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct itimerspec at = {.it_value = first, .it_interval = {interval, 0}}, now;
	siginfo_t info;
	sigset_t set;
	timer_t timer;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	SAY(timer_create(clock, &event, &timer));
	SAY(timer_settime(timer, TIMER_ABSTIME, &at, NULL));
	SAY(sigwaitinfo(&set, &info) == SIGUSR1);
	printf("overrun %d, %d\n", info.si_overrun, timer_getoverrun(timer));
	SAY(timer_gettime(timer, &now));
	show_left(&now);
	SAY(timer_delete(timer));
}

/* Waits on a futex until a moment. */
static long futex(int op, struct timespec until)
{
	uint32_t word = 0;
	return syscall(SYS_futex, &word, op, 0, &until, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void waits(int clock, int futex_clock, struct timespec until)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_condattr_t attr;
	pthread_cond_t cond;
	sem_t sem;
	SAY(clock_nanosleep(clock, TIMER_ABSTIME, &until, NULL));
	SAY(futex(FUTEX_WAIT_BITSET | futex_clock, until));
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, clock);
	pthread_cond_init(&cond, &attr);
	pthread_mutex_lock(&lock);
	SAY(pthread_cond_timedwait(&cond, &lock, &until) == ETIMEDOUT);
	SAY(pthread_mutex_clocklock(&lock, clock, &until) == ETIMEDOUT);
	sem_init(&sem, 0, 0);
	SAY(sem_clockwait(&sem, clock, &until));
}

int main(void)
{
	const struct timespec long_ago = {1, 0}, before = {-1, 0};
	read_timer(CLOCK_REALTIME, ago(CLOCK_REALTIME, 10), 3);
	read_timer(CLOCK_REALTIME, ago(CLOCK_REALTIME, 100000), 7);
	read_timer(CLOCK_REALTIME, ago(CLOCK_REALTIME, 10), 0);
	read_timer(CLOCK_REALTIME, before, 1);
	look_at_timer();
	usleep(20000); /* a moment on CLOCK_MONOTONIC that has passed */
	read_timer(CLOCK_MONOTONIC, (struct timespec){0, 1000}, 0);
	signal_timer(CLOCK_REALTIME, ago(CLOCK_REALTIME, 10), 3);
	signal_timer(CLOCK_REALTIME, ago(CLOCK_REALTIME, 100000), 7);
	signal_timer(CLOCK_MONOTONIC, (struct timespec){0, 1000}, 0);
	waits(CLOCK_REALTIME, FUTEX_CLOCK_REALTIME, ago(CLOCK_REALTIME, 10));
	waits(CLOCK_REALTIME, FUTEX_CLOCK_REALTIME, long_ago);
	waits(CLOCK_MONOTONIC, 0, (struct timespec){0, 1000});
	SAY(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &before, NULL));
	SAY(futex(FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, before));
	return 0;
}
