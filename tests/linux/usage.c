/* SPDX-License-Identifier: MIT */
/* Processor time: of a process, of a thread, of children, as each way of asking tells it. */
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define BURNT 20000000L /* nanoseconds */

static long clock_ns(clockid_t clock)
{
	struct timespec now;
	return clock_gettime(clock, &now) ? -1 : now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Uses so much of the processor, by the calling thread's clock. */
static void burn(long ns)
{
	long end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end) {
	}
}

static long total(const struct rusage *usage)
{
	return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000000 +
	       (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000;
}

static long usage_of(int who)
{
	struct rusage usage;
	return getrusage(who, &usage) ? -1 : total(&usage);
}

static void children(void)
{
	struct rusage usage;
	struct tms ticks;
	int status, ends[2];
	char byte = 0;
	clockid_t clock;
	pipe(ends);
	burn(BURNT);
	printf("before: %d %d\n", usage_of(RUSAGE_CHILDREN) == 0, usage_of(RUSAGE_SELF) >= BURNT);
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		printf("a child begins anew: %d %d\n", clock_ns(CLOCK_PROCESS_CPUTIME_ID) < BURNT,
		       usage_of(RUSAGE_SELF) < BURNT);
		fflush(stdout);
		if (!fork()) {
			burn(2 * BURNT);
			_exit(0);
		}
		wait(NULL);
		printf("its own child: %d, itself: %d\n", usage_of(RUSAGE_CHILDREN) >= 2 * BURNT,
		       usage_of(RUSAGE_SELF) < 2 * BURNT);
		fflush(stdout);
		burn(BURNT);
		write(ends[1], &byte, 1);
		pause();
	}
	read(ends[0], &byte, 1);
	printf("%d, ", clock_getcpuclockid(child, &clock));
	long told = clock_ns(clock);
	printf("the clock of a child: %d\n", told >= BURNT && told < 60 * BURNT);
	printf("not waited for yet: %d\n", usage_of(RUSAGE_CHILDREN) == 0);
	kill(child, SIGKILL);
	siginfo_t info;
	waitid(P_PID, child, &info, WEXITED | WNOWAIT);
	printf("looked at only: %d\n", usage_of(RUSAGE_CHILDREN) == 0);
	printf("%d\n", wait4(child, &status, 0, &usage) == child);
	printf("wait4 tells: %d\n", total(&usage) >= 3 * BURNT);
	printf("waited for: %d\n", usage_of(RUSAGE_CHILDREN) >= 3 * BURNT);
	times(&ticks);
	printf("times: %d %d\n", ticks.tms_cutime + ticks.tms_cstime >= 5, ticks.tms_utime + ticks.tms_stime >= 1);
	SAY(clock_gettime(clock, &(struct timespec){0, 0}));
}

static void ignored(void)
{
	long before = usage_of(RUSAGE_CHILDREN);
	signal(SIGCHLD, SIG_IGN);
	fflush(stdout);
	if (!fork()) {
		burn(BURNT);
		_exit(0);
	}
	SAY(wait(NULL));
	printf("nobody waits for it: %d\n", usage_of(RUSAGE_CHILDREN) == before);
	signal(SIGCHLD, SIG_DFL);
}

static void *work(void *unused)
{
	(void)unused;
	burn(2 * BURNT);
	printf("a thread: %d\n", usage_of(RUSAGE_THREAD) >= 2 * BURNT);
	return NULL;
}

static void threads(void)
{
	pthread_t thread;
	long self = usage_of(RUSAGE_SELF), own = usage_of(RUSAGE_THREAD), clock = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	printf("its process: %d, the other thread: %d\n", usage_of(RUSAGE_SELF) - self >= 2 * BURNT,
	       usage_of(RUSAGE_THREAD) - own < 2 * BURNT);
	printf("its process's clock: %d\n", clock_ns(CLOCK_PROCESS_CPUTIME_ID) - clock >= 2 * BURNT);
}

int main(void)
{
	struct rusage usage;
	children();
	ignored();
	threads();
	SAY(getrusage(2, &usage));
	SAY(getrusage(-2, &usage));
	SAY(getrusage(RUSAGE_SELF, (void *)8));
	SAY(clock_getres(CLOCK_PROCESS_CPUTIME_ID, NULL));
	return 0;
}
