/* SPDX-License-Identifier: MIT */
/* Faults, timers and other signals in loops. Each handler makes a kernel call, so that --strace shows its time. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf before;
static volatile int alarms;
static volatile unsigned long sum;

static void jump_back(int signal)
{
	(void)signal;
	getppid();
	siglongjmp(before, 1);
}

static void count(int signal)
{
	(void)signal;
	getppid();
	alarms++;
}

static void add_up(unsigned long rounds)
{
	for (unsigned long i = 0; i < rounds; i++)
		sum += i;
}

static void fault(unsigned long number)
{
	volatile unsigned long zero = 0;
	add_up(number * 100);
	if (number % 3 == 0)
		*(volatile int *)8 = 1;
	if (number % 3 == 1)
		sum /= zero;
	__builtin_trap();
}

int main(void)
{
	struct itimerval every_100us = {{0, 100}, {0, 100}};
	int status;
	signal(SIGSEGV, jump_back);
	signal(SIGFPE, jump_back);
	signal(SIGILL, jump_back);
	signal(SIGALRM, count);
	for (volatile unsigned long i = 0; i < 60; i++)
		if (!sigsetjmp(before, 1))
			fault(i);
	setitimer(ITIMER_REAL, &every_100us, NULL);
	while (alarms < 50)
		add_up(10);
	if (!fork()) {
		add_up(100000);
		_exit(3);
	}
	while (wait(&status) < 0)
		;
	printf("%lu, status %d\n", sum, WEXITSTATUS(status));
	return 0;
}
