/* SPDX-License-Identifier: MIT */
/* Timers on clocks of processor time and others, and the state of the clock's discipline. */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "tests/fuzz/guest/calls.h"

/* Clocks by name, of processes and threads, and of none. */
static int any_clock(void)
{
	if (CALLS_RARELY(4))
		return (int)(~(CALLS_RARELY(2) ? (unsigned)getpid() : calls_below(50)) << 3 | calls_below(8));
	return CALLS_RARELY(12) ? (int)calls_number()
	                        : (int)CALLS_ONE_OF(CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID, CLOCK_MONOTONIC,
	                                            CLOCK_REALTIME, CLOCK_BOOTTIME);
}

static struct timespec any_time(void)
{
	struct timespec time = {CALLS_RARELY(12) ? calls_number() : 0,
	                        CALLS_RARELY(12) ? calls_number() : (long)calls_below(2000000)};
	return time;
}

/* Timers that use_timer() has made. Those of main.c, which interrupt what waits, have small numbers. */
static volatile int timers[8];

/* An interval, long enough for some work between two signals. */
static struct timespec any_interval(void)
{
	struct timespec time = {CALLS_RARELY(12) ? calls_number() : 0,
	                        CALLS_RARELY(4) ? 0 : 300000 + (long)calls_below(2000000)};
	return time;
}

static int any_timer(void)
{
	int id = timers[calls_below(8)];
	return CALLS_RARELY(12) || id == 0 ? (int)CALLS_ONE_OF(-1, 1000, 0x7fffffff, 1UL << 31, 40000) : id;
}

static void use_timer(void)
{
	int id = 0;
	struct itimerspec value = {any_interval(), any_time()};
	struct sigevent event = {.sigev_notify =
	                                 (int)CALLS_ONE_OF(SIGEV_SIGNAL, SIGEV_NONE, SIGEV_THREAD_ID, SIGEV_SIGNAL, 77),
	                         .sigev_signo = calls_signal()};
	event._sigev_un._tid = CALLS_RARELY(4) ? (pid_t)calls_number() : (pid_t)syscall(SYS_gettid);
	switch (calls_below(6)) {
	case 0:
	case 1:
		if (syscall(SYS_timer_create, any_clock(), CALLS_RARELY(4) ? NULL : &event,
		            CALLS_RARELY(16) ? calls_memory(4) : &id) == 0 &&
		    id)
			timers[calls_below(8)] = id;
		break;
	case 2:
	case 3:
		syscall(SYS_timer_settime, any_timer(), (int)calls_flags(TIMER_ABSTIME),
		        CALLS_RARELY(16) ? calls_memory(32) : &value, CALLS_RARELY(2) ? NULL : calls_memory(32));
		break;
	case 4:
		syscall(SYS_timer_gettime, any_timer(), calls_memory(32));
		syscall(SYS_timer_getoverrun, any_timer());
		break;
	default:
		syscall(SYS_timer_delete, any_timer());
		break;
	}
}

static void use_clock(void)
{
	struct timespec value = {0, (long)calls_below(100000)};
	struct timex timex;
	memset(&timex, 0, sizeof(timex));
	switch (calls_below(5)) {
	case 0:
		clock_gettime(any_clock(), (void *)(CALLS_RARELY(2) ? &value : (void *)&timex));
		break;
	case 1:
		syscall(SYS_clock_nanosleep, any_clock(), (int)calls_flags(TIMER_ABSTIME), &value,
		        CALLS_RARELY(2) ? NULL : &value);
		break;
	case 2:
		timex.modes = (unsigned)calls_flags(0xffff);
		timex.offset = calls_number();
		timex.freq = calls_number();
		timex.tick = calls_number();
		timex.status = (int)calls_number();
		if (timex.modes & (ADJ_SETOFFSET | ADJ_FREQUENCY | ADJ_OFFSET | ADJ_TICK) && !CALLS_RARELY(4))
			timex.modes = 0;
		syscall(SYS_adjtimex, CALLS_RARELY(8) ? calls_memory(sizeof(timex)) : &timex);
		break;
	case 3:
		syscall(SYS_clock_adjtime, any_clock(), CALLS_RARELY(8) ? calls_memory(sizeof(timex)) : &timex);
		break;
	default:
		syscall(SYS_clock_getres, any_clock(), calls_memory(16));
		break;
	}
}

static void use_interval(void)
{
	struct itimerval value = {{0, 300 + (long)calls_below(3000)}, {0, (long)calls_below(3000)}};
	struct itimerspec spec = {any_interval(), any_time()};
	struct rlimit limit = {(rlim_t)calls_below(3) + 1000, RLIM_INFINITY};
	switch (calls_below(5)) {
	case 0:
		setitimer((int)CALLS_ONE_OF(ITIMER_VIRTUAL, ITIMER_PROF, ITIMER_VIRTUAL, 7),
		          CALLS_RARELY(12) ? calls_memory(32) : &value, CALLS_RARELY(2) ? NULL : calls_memory(32));
		break;
	case 1:
		getitimer((int)calls_below(4), calls_memory(32));
		break;
	case 2:
		calls_keep(timerfd_create(any_clock(), TFD_NONBLOCK | (int)calls_flags(TFD_CLOEXEC)));
		break;
	case 3:
		timerfd_settime(calls_fd(), (int)calls_flags(3), &spec, CALLS_RARELY(2) ? NULL : calls_memory(32));
		break;
	default:
		prlimit(0, RLIMIT_CPU, &limit, calls_memory(16));
		break;
	}
}

void calls_clock(void)
{
	switch (calls_below(3)) {
	case 0:
		use_timer();
		break;
	case 1:
		use_clock();
		break;
	default:
		use_interval();
		break;
	}
}
