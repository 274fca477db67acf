/* SPDX-License-Identifier: MIT */
/* What comes when a process has used so much of the processor: signals of its timers, the ends of sleeps by its clock,
 * and of its limit. What other processes use does not count. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define MS 1000000L

static volatile sig_atomic_t count;

static void on_signal(int sig)
{
	(void)sig;
	count++;
}

static long now(clockid_t clock)
{
	struct timespec time;
	return clock_gettime(clock, &time) ? -1 : time.tv_sec * 1000 * MS + time.tv_nsec;
}

static void burn(long ns)
{
	long end = now(CLOCK_THREAD_CPUTIME_ID) + ns;
	while (now(CLOCK_THREAD_CPUTIME_ID) < end) {
	}
}

/* Works until a signal has come: Linux counts by its ticks, which a busy machine deals out unevenly. */
static void burn_until_told(void)
{
	long end = now(CLOCK_THREAD_CPUTIME_ID) + 20000 * MS;
	count = 0;
	while (!count && now(CLOCK_THREAD_CPUTIME_ID) < end) {
	}
}

static void burn_in_child(long ns)
{
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		burn(ns);
		_exit(0);
	}
	assert(waitpid(child, NULL, 0) == child || errno == EINTR);
	while (waitpid(child, NULL, 0) == child || errno == EINTR)
		errno = 0;
}

static struct timespec in_ns(long ns)
{
	return (struct timespec){ns / (1000 * MS), ns % (1000 * MS)};
}

/* --- timers --- */

static void timers(void)
{
	const struct itimerval soon = {{0, 0}, {0, 40000}}, none = {{0, 0}, {0, 0}};
	struct itimerval left;
	signal(SIGPROF, on_signal);
	setitimer(ITIMER_PROF, &soon, NULL);
	burn_in_child(100 * MS);
	getitimer(ITIMER_PROF, &left);
	printf("a child works: %d, left: %d\n", count, left.it_value.tv_usec > 20000);
	burn_until_told();
	printf("it works: %d\n", count);
	setitimer(ITIMER_PROF, &none, NULL);
	count = 0;
	timer_t timer;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
	const struct itimerspec wanted = {{0, 0}, {0, 40 * MS}};
	SAY(timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer));
	assert(!timer_settime(timer, 0, &wanted, NULL));
	burn_in_child(100 * MS);
	printf("a child works: %d\n", count);
	burn_until_told();
	printf("it works: %d\n", count);
	timer_delete(timer);
	count = 0;
}

/* --- sleeps --- */

static pthread_t main_thread;

static void *work(void *pid)
{
	usleep(1000);
	if (pid)
		burn_in_child(100 * MS);
	else
		burn(100 * MS);
	return NULL;
}

static void *interrupt(void *unused)
{
	(void)unused;
	burn(20 * MS);
	pthread_kill(main_thread, SIGUSR1);
	return NULL;
}

static void sleeps(void)
{
	pthread_t thread, other;
	clockid_t clock;
	struct timespec span = in_ns(50 * MS), zero = {0, 0}, bad = {0, -1}, moment, rest;
	SAY_ERROR(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &span, NULL));
	SAY(syscall(SYS_clock_nanosleep, CLOCK_THREAD_CPUTIME_ID, 0, &span, NULL));
	SAY(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC_RAW, 0, &span, NULL));
	pthread_getcpuclockid(pthread_self(), &clock);
	SAY_ERROR(clock_nanosleep(clock, 0, &span, NULL));
	SAY_ERROR(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &bad, NULL));
	SAY_ERROR(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, (void *)8, NULL));
	SAY_ERROR(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &zero, NULL));
	SAY_ERROR(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, TIMER_ABSTIME, &zero, NULL));

	long begin = now(CLOCK_PROCESS_CPUTIME_ID);
	pthread_create(&thread, NULL, work, NULL);
	SAY_ERROR(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &span, NULL));
	long used = now(CLOCK_PROCESS_CPUTIME_ID) - begin;
	printf("used: %d\n", used >= 50 * MS);
	pthread_join(thread, NULL);

	begin = now(CLOCK_PROCESS_CPUTIME_ID);
	moment = in_ns(begin + 50 * MS);
	pthread_create(&thread, NULL, work, NULL);
	pthread_create(&other, NULL, work, (void *)1);
	SAY_ERROR(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, TIMER_ABSTIME, &moment, NULL));
	used = now(CLOCK_PROCESS_CPUTIME_ID) - begin;
	printf("beside another process: %d\n", used >= 50 * MS);
	pthread_join(thread, NULL);
	pthread_join(other, NULL);

	pthread_create(&thread, NULL, work, NULL);
	pthread_getcpuclockid(thread, &clock);
	SAY_ERROR(clock_nanosleep(clock, TIMER_ABSTIME, &span, NULL));
	used = now(clock);
	printf("a thread's: %d\n", used >= 50 * MS);
	pthread_join(thread, NULL);

	signal(SIGUSR1, on_signal);
	main_thread = pthread_self();
	pthread_create(&thread, NULL, interrupt, NULL);
	SAY_ERROR(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &(struct timespec){10, 0}, &rest));
	printf("interrupted: %d, %d\n", count, rest.tv_sec == 9 && rest.tv_nsec > 900 * MS);
	pthread_join(thread, NULL);

	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		burn(200 * MS);
		_exit(0);
	}
	SAY_ERROR(clock_getcpuclockid(child, &clock));
	SAY_ERROR(clock_nanosleep(clock, TIMER_ABSTIME, &span, NULL));
	used = now(clock);
	printf("a child's: %d\n", used >= 50 * MS);
	assert(waitpid(child, NULL, 0) == child);
	SAY_ERROR(clock_nanosleep(clock, TIMER_ABSTIME, &span, NULL));
}

/* --- the limit --- */

static void limit(rlim_t soft, rlim_t hard)
{
	const struct rlimit wanted = {soft, hard};
	assert(!setrlimit(RLIMIT_CPU, &wanted));
}

static void in_child(const char *what, void (*f)(void))
{
	int status;
	printf("%s:", what);
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		f();
		_exit(0);
	}
	assert(waitpid(child, &status, 0) == child);
	printf(" status %x\n", (unsigned)status & 0xff7f);
}

static void soft(void)
{
	limit(1, 10);
	burn_until_told();
}

static void handled(void)
{
	struct rlimit left;
	signal(SIGXCPU, on_signal);
	limit(1, RLIM_INFINITY);
	burn_until_told();
	getrlimit(RLIMIT_CPU, &left);
	printf(" %d signals, limit %lu", count, (unsigned long)left.rlim_cur);
	fflush(stdout);
}

static void hard(void)
{
	signal(SIGXCPU, on_signal);
	limit(1, 2);
	burn_until_told();
	burn_until_told();
}

static void inherited(void)
{
	int status;
	limit(1, 1);
	pid_t child = fork();
	if (!child) {
		burn_until_told();
		_exit(0);
	}
	burn(500 * MS);
	assert(waitpid(child, &status, 0) == child);
	printf(" its child %x", (unsigned)status);
	fflush(stdout);
	burn_until_told();
}

int main(void)
{
	timers();
	sleeps();
	in_child("soft", soft);
	in_child("handled", handled);
	in_child("hard", hard);
	in_child("inherited", inherited);
	return 0;
}
