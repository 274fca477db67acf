/* SPDX-License-Identifier: MIT */
/* For conditions.test: functions that are called often, by threads too, and instructions that fault. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGES 40

struct pair {
	int first;
	unsigned char second;
};

static long counter;
static double sum = 1.5;
static struct pair pairs[100];
static char *fresh;

/* Operands relative to the instruction pointer, on the stack, behind a pointer, and of SSE. */
__attribute__((noinline)) static void work(int i, struct pair *pair)
{
	counter += i & 3;
	sum = sum * 0.5 + i;
	pair->first = i;
	pair->second = (unsigned char)(i * 7);
	if (i % 5 == 0)
		counter++;
}

/* Each store is to a page that was not touched before. */
__attribute__((noinline)) static void touch(int page)
{
	fresh[page * 4096L] = (char)page;
}

__attribute__((noinline)) static int peek(volatile int *at)
{
	return *at;
}

static void *run_thread(void *argument)
{
	for (int i = 0; i < 300; i++)
		work(i, &pairs[i % 100]);
	return argument;
}

static void handle(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *at = context;
	const unsigned long rip = (unsigned long)at->uc_mcontext.gregs[REG_RIP] - (unsigned long)peek;
	printf("signal %d at %p, %s\n", sig, info->si_addr, rip < 64 ? "in peek" : "elsewhere");
	fflush(stdout);
	_exit(3);
}

int main(void)
{
	const struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
	pthread_t threads[2];
	fresh = mmap(NULL, PAGES * 4096L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run_thread, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < PAGES; i++)
		touch(i);
	printf("%ld %g %d %d\n", counter, sum, pairs[99].first, pairs[99].second);
	fflush(stdout);
	sigaction(SIGSEGV, &action, NULL);
	return peek((int *)8);
}
