/* SPDX-License-Identifier: MIT */
/* Programs for work_clock.test: each works in loops, and does one thing with time. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static __attribute__((noinline)) unsigned fibonacci(unsigned n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static __attribute__((noinline)) unsigned mix(unsigned rounds)
{
	unsigned sum = 1;
	for (unsigned i = 0; i < rounds; i++)
		sum = sum * 1664525 + (i ^ sum >> 7);
	return sum;
}

/* Works until a deadline. */
static int deadline(void)
{
	const double end = seconds(CLOCK_MONOTONIC) + 0.01;
	unsigned rounds = 0;
	for (; seconds(CLOCK_MONOTONIC) < end; rounds++)
		fibonacci(12);
	puts(rounds > 10 && rounds < 100000 ? "some rounds" : "too few or too many");
	return 0;
}

/* Clocks agree that work takes time. Natively, a loaded host leaves the program a part of it. */
static int clocks(void)
{
	struct rusage usage;
	const double start = seconds(CLOCK_MONOTONIC);
	printf("%x\n", mix(4000000));
	const double took = seconds(CLOCK_MONOTONIC) - start;
	getrusage(RUSAGE_SELF, &usage);
	const double used = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
	                    (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
	puts(took > 0.0005 && took < 1 ? "took time" : "took none");
	puts(used >= took * 0.01 ? "used time" : "used none");
	puts(seconds(CLOCK_PROCESS_CPUTIME_ID) >= took * 0.01 ? "processor time" : "no processor time");
	return 0;
}

/* One instruction that fills 32 MiB takes 2 ms. */
static int repeat(void)
{
	static char room[32 << 20];
	void *to = room;
	unsigned long count = sizeof(room) / sizeof(long);
	const double start = seconds(CLOCK_MONOTONIC);
	__asm__ volatile("rep stosq; mov %0, %0; nop" : "+D"(to), "+c"(count) : "a"(1L) : "memory");
	const double took = seconds(CLOCK_MONOTONIC) - start;
	puts(took > 0.0005 && took < 1 ? "took time" : "took none");
	return room[sizeof(room) - 8] != 1;
}

static void ring(int sig)
{
	(void)sig;
	if (write(1, "rang\n", 5) != 5)
		_exit(1);
	_exit(3);
}

/* An endless loop, which only a signal ends. */
static int endless(void)
{
	signal(SIGALRM, ring);
	alarm(1);
	unsigned sum = 1;
	while (sum)
		sum = sum * 2654435761U + 2;
	return 1;
}

static volatile sig_atomic_t rings;
static sigjmp_buf back;

static void count(int sig)
{
	(void)sig;
	if (++rings == 50)
		siglongjmp(back, 1);
}

/* A timer interrupts a loop again and again; the last handler leaves it by siglongjmp. Values in registers stay. */
static int interrupted(void)
{
	const struct itimerval often = {{0, 100}, {0, 100}};
	signal(SIGPROF, count);
	const unsigned expected = mix(100000);
	if (sigsetjmp(back, 1)) {
		setitimer(ITIMER_PROF, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
		printf("%d signals\n", (int)rings);
		return 0;
	}
	setitimer(ITIMER_PROF, &often, NULL);
	for (;;)
		if (mix(100000) != expected) {
			puts("a handler changed the result");
			return 1;
		}
}

static int ready;

static void *wait_ready(void *unused)
{
	(void)unused;
	unsigned long rounds = 1;
	while (!__atomic_load_n(&ready, __ATOMIC_RELAXED))
		rounds = rounds * 7 + (rounds >> 3);
	return rounds ? NULL : &ready;
}

static void *work(void *number)
{
	for (unsigned i = 0; i < 5; i++)
		*(unsigned *)number += mix(1000000);
	return NULL;
}

/* Threads that never call take turns, and one waits for the others in a loop. */
static int threads(void)
{
	pthread_t all[4];
	unsigned sums[3] = {1, 2, 3};
	pthread_create(&all[3], NULL, wait_ready, NULL);
	for (unsigned i = 0; i < 3; i++)
		pthread_create(&all[i], NULL, work, &sums[i]);
	for (unsigned i = 0; i < 3; i++)
		pthread_join(all[i], NULL);
	__atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
	pthread_join(all[3], NULL);
	printf("%x %x %x\n", sums[0], sums[1], sums[2]);
	return 0;
}

/* RLIMIT_CPU ends a loop. */
static int limited(void)
{
	setrlimit(RLIMIT_CPU, &(struct rlimit){1, 2});
	unsigned sum = 1;
	while (sum)
		sum = sum * 2654435761U + 2;
	return 1;
}

int main(int argc, char **argv)
{
	const struct {
		const char *name;
		int (*run)(void);
	} all[] = {{"deadline", deadline}, {"clocks", clocks},   {"endless", endless}, {"interrupted", interrupted},
	           {"threads", threads},   {"limited", limited}, {"repeat", repeat}};
	setbuf(stdout, NULL);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (argc > 1 && !strcmp(argv[1], all[i].name))
			return all[i].run();
	return 2;
}
