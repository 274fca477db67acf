/* SPDX-License-Identifier: MIT */
/* sigaltstack: handlers run where they should, and a program survives the overflow of its own stack. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "say.h"

#define STACK_BYTES 65536

static char *stack;
static sigjmp_buf back;
static volatile int sink;

static int on_stack(const void *at)
{
	return (const char *)at >= stack && (const char *)at < stack + STACK_BYTES;
}

static void where(int sig)
{
	char here;
	stack_t now, wanted = {.ss_sp = stack, .ss_size = STACK_BYTES};
	sigaltstack(NULL, &now);
	printf("signal %d on %s stack, flags %d, aligned %d\n", sig, on_stack(&here) ? "the other" : "the main",
	       now.ss_flags, (int)((uintptr_t)__builtin_frame_address(0) % 16));
	if (on_stack(&here))
		SAY(sigaltstack(&wanted, NULL));
	if (sig == SIGUSR1)
		raise(SIGUSR2);
}

static void overflow(int sig, siginfo_t *info, void *context)
{
	char here;
	(void)info, (void)context;
	printf("overflow: signal %d on %s stack\n", sig, on_stack(&here) ? "the other" : "the main");
	siglongjmp(back, 1);
}

__attribute__((noinline)) static int endless(int n)
{
	volatile char block[4096];
	block[0] = (char)n;
	sink = block[0];
	if (n < 0)
		return 0;
	int below = endless(n + 1);
	return below + block[0];
}

static void handle(int sig, int flags)
{
	struct sigaction action = {.sa_handler = where, .sa_flags = flags};
	sigaction(sig, &action, NULL);
}

int main(void)
{
	stack_t other, now;
	stack = malloc(STACK_BYTES);
	SAY(sigaltstack(NULL, &now));
	SAY_TRUE(now.ss_flags == SS_DISABLE);
	handle(SIGUSR1, SA_ONSTACK);
	handle(SIGUSR2, SA_ONSTACK);
	raise(SIGUSR1);
	other = (stack_t){.ss_sp = stack, .ss_size = 100};
	SAY(sigaltstack(&other, NULL));
	other = (stack_t){.ss_sp = stack, .ss_size = STACK_BYTES, .ss_flags = 77};
	SAY(sigaltstack(&other, NULL));
	other.ss_flags = 0;
	SAY(sigaltstack(&other, NULL));
	SAY(sigaltstack(NULL, &now));
	SAY_TRUE(now.ss_sp == stack && now.ss_size == STACK_BYTES && now.ss_flags == 0);
	raise(SIGUSR1);
	handle(SIGUSR1, 0);
	raise(SIGUSR1);

	struct sigaction action = {.sa_sigaction = overflow, .sa_flags = SA_ONSTACK | SA_SIGINFO};
	sigaction(SIGSEGV, &action, NULL);
	for (volatile int i = 0; i < 3; i++)
		if (!sigsetjmp(back, 1))
			endless(0);
	other.ss_flags = SS_DISABLE;
	SAY(sigaltstack(&other, &now));
	SAY_TRUE(now.ss_sp == stack && now.ss_flags == 0);
	SAY(sigaltstack(NULL, &now));
	SAY_TRUE(now.ss_flags == SS_DISABLE);
	return 0;
}
