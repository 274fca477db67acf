/* SPDX-License-Identifier: MIT */
/* Choices that are not about who runs: choices wake|timeout|signal prints what was chosen. By kernel calls alone. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/errno.h"
#include "abi/linux.h"
#include "abi/linux_signal.h"
#include "abi/thread.h"
#include "kernel/sys/kcall.h"

#define STACK_BYTES 32768
#define THREADS 4
#define FUTEX_WAIT 0
#define FUTEX_WAKE 1
#define FUTEX_WAKE_NS 100 /* the call's virtual time, docs/kernel-calls.md */
#define CLOCK_MONOTONIC 1
#define USER_SIGNAL 10 /* SIGUSR1 */

static uint32_t tids[THREADS], word;
static __attribute__((aligned(16))) uint8_t stacks[THREADS][STACK_BYTES];
static char letters[THREADS + 1];
static unsigned taken;
static int64_t deadline_ns;

static void start(unsigned index, void (*entry)(void *))
{
	const struct thread_start how = {
		.entry = entry,
		.argument = (void *)(uintptr_t)index,
		.stack_top = (uint64_t)&stacks[index + 1],
		.tid = &tids[index],
	};
	if (kcall_thread_create(&how) < 0)
		exit(1);
	kcall_sched_yield(); /* it comes to where it waits */
}

static void join(unsigned index)
{
	uint32_t tid;
	while ((tid = *(volatile uint32_t *)&tids[index]) != 0)
		kcall_futex(&tids[index], FUTEX_WAIT, tid, NULL, NULL, 0);
}

static void wait_and_sign(void *index)
{
	kcall_futex(&word, FUTEX_WAIT, 0, NULL, NULL, 0);
	letters[taken++] = (char)('a' + (uintptr_t)index);
	kcall_exit(0);
}

/* Those that wait are woken one after the other. */
static void wake(void)
{
	for (unsigned i = 0; i < THREADS; i++)
		start(i, wait_and_sign);
	for (unsigned i = 0; i < THREADS; i++) {
		while (kcall_futex(&word, FUTEX_WAKE, 1, NULL, NULL, 0) == 0)
			kcall_sched_yield();
		while (*(volatile unsigned *)&taken == i)
			kcall_sched_yield();
	}
	puts(letters);
}

static int64_t now_ns(void)
{
	struct linux_timespec now;
	kcall_clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000 + now.tv_nsec;
}

static void wait_for_a_while(void *unused)
{
	(void)unused;
	const struct linux_timespec span = {0, 10000};
	deadline_ns = now_ns() + 10000;
	long result = kcall_futex(&word, FUTEX_WAIT, 0, &span, NULL, 0);
	letters[0] = result == -ETIMEDOUT ? 't' : 'w';
	kcall_exit(0);
}

/* It is woken by a call that begins before its timeout and ends behind it. */
static void timeout(void)
{
	start(0, wait_for_a_while);
	while (now_ns() < deadline_ns + FUTEX_WAKE_NS / 2)
		;
	long woken = kcall_futex(&word, FUTEX_WAKE, 1, NULL, NULL, 0);
	join(0);
	printf("%s %ld\n", letters, woken);
}

static void on_signal(int sig)
{
	letters[0] = (char)('0' + kcall_gettid());
	(void)sig;
}

static void wait_for_signal(void *unused)
{
	(void)unused;
	kcall_futex(&word, FUTEX_WAIT, 0, NULL, NULL, 0);
	kcall_exit(0);
}

/* The process is sent a signal that the first thread blocks and the others do not. */
static void signal_process(void)
{
	const struct linux_sigaction action = {.handler = on_signal};
	const unsigned long blocked = 1UL << (USER_SIGNAL - 1);
	kcall_rt_sigaction(USER_SIGNAL, &action, NULL, sizeof(blocked));
	for (unsigned i = 0; i < THREADS; i++)
		start(i, wait_for_signal);
	kcall_rt_sigprocmask(LINUX_SIG_BLOCK, &blocked, NULL, sizeof(blocked));
	kcall_kill(1, USER_SIGNAL);
	word = 1;
	kcall_futex(&word, FUTEX_WAKE, THREADS, NULL, NULL, 0);
	for (unsigned i = 0; i < THREADS; i++)
		join(i);
	puts(letters);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "wake"))
		wake();
	else if (argc == 2 && !strcmp(argv[1], "timeout"))
		timeout();
	else if (argc == 2 && !strcmp(argv[1], "signal"))
		signal_process();
	else
		return 2;
	return 0;
}
