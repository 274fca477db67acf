/* SPDX-License-Identifier: MIT */
/* Processor time and memory: of a process, of a thread, of children, as each way of asking tells it. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

/* --- memory --- */

#define MIB (1024UL * 1024)

static void use(unsigned long bytes)
{
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(at, 1, bytes);
	munmap(at, bytes);
}

static long peak_of(int who)
{
	struct rusage usage;
	return getrusage(who, &usage) ? -1 : usage.ru_maxrss / 1024;
}

/* Of /proc/self/status, in MiB. */
static long line_of(const char *name)
{
	char line[128];
	long value = -1;
	FILE *file = fopen("/proc/self/status", "r");
	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, name, strlen(name)))
			value = atol(line + strlen(name)) / 1024;
	if (file)
		fclose(file);
	return value;
}

/* The most that there was at once, in MiB. */
static void memory(char *program)
{
	struct rusage usage;
	int status;
	printf("before: %d\n", peak_of(RUSAGE_SELF) < 64);
	use(64 * MIB);
	printf("64 and less: %d %d\n", peak_of(RUSAGE_SELF) >= 64, peak_of(RUSAGE_SELF) < 96);
	printf("a thread's is its process's: %d\n", peak_of(RUSAGE_THREAD) == peak_of(RUSAGE_SELF));
	printf("status: %d, now %d\n", line_of("VmHWM:") >= 64, line_of("VmRSS:") < 64);
	printf("mapped: %d, now %d\n", line_of("VmPeak:") >= 64, line_of("VmSize:") < 64);
	printf("children: %d\n", peak_of(RUSAGE_CHILDREN) < 96);
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		printf("a child begins anew: %d\n", peak_of(RUSAGE_SELF) < 64);
		fflush(stdout);
		if (!fork()) {
			use(96 * MIB);
			_exit(0);
		}
		wait(NULL);
		printf("of a child's child: %d\n", peak_of(RUSAGE_CHILDREN) >= 96);
		fflush(stdout);
		_exit(0);
	}
	wait4(child, &status, 0, &usage);
	printf("wait4 tells: %d\n", usage.ru_maxrss / 1024 >= 96);
	printf("children: %d, itself: %d\n", peak_of(RUSAGE_CHILDREN) >= 96, peak_of(RUSAGE_SELF) < 96);
	fflush(stdout);
	if (!fork()) {
		use(128 * MIB);
		execl(program, program, "again", NULL);
		_exit(1);
	}
	wait(&status);
	printf("status %d\n", status);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	if (argc > 1) {
		(void)argv;
		printf("kept over execve: %d, status: %d\n", peak_of(RUSAGE_SELF) >= 128, line_of("VmHWM:") < 64);
		return 0;
	}
	memory("/proc/self/exe");
	children();
	ignored();
	threads();
	SAY(getrusage(2, &usage));
	SAY(getrusage(-2, &usage));
	SAY(getrusage(RUSAGE_SELF, (void *)8));
	SAY(clock_getres(CLOCK_PROCESS_CPUTIME_ID, NULL));
	return 0;
}
