/* SPDX-License-Identifier: MIT */
/* Signals: handlers, masks, pending sets, alternate stacks, faults, jumps out of handlers, abort. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t seen, code, on_alternate;
static void *volatile address;
static sigjmp_buf back;
static char alternate[65536];

static void count(int sig)
{
	seen = seen * 100 + sig;
}

static void detail(int sig, siginfo_t *info, void *context)
{
	char here;
	seen = sig;
	code = info->si_code;
	address = info->si_addr;
	on_alternate = &here >= alternate && &here < alternate + sizeof(alternate) && context != NULL;
}

static void escape(int sig, siginfo_t *info, void *context)
{
	detail(sig, info, context);
	siglongjmp(back, sig);
}

static void handlers(void)
{
	struct sigaction act = {.sa_handler = count}, old;
	printf("%d", sigaction(SIGUSR1, &act, &old));
	printf(" %d %d", old.sa_handler == SIG_DFL, raise(SIGUSR1));
	printf(" %d\n", (int)seen);
	printf("%d\n", signal(SIGUSR2, count) == SIG_DFL);
	kill(getpid(), SIGUSR2);
	printf("%d\n", (int)seen);
	printf("%d %d\n", signal(SIGUSR2, SIG_IGN) == count, raise(SIGUSR2));
	act.sa_flags = SA_RESETHAND;
	sigaction(SIGUSR1, &act, NULL);
	raise(SIGUSR1);
	sigaction(SIGUSR1, NULL, &old);
	printf("%d\n", old.sa_handler == SIG_DFL);
	printf("%d %d\n", sigaction(SIGKILL, &act, NULL), errno == EINVAL);
	printf("%d %d\n", sigaction(99, &act, NULL), errno == EINVAL);
	printf("%d %d\n", kill(getpid(), 0), kill(getpid(), 99));
}

static void masks(void)
{
	sigset_t set, old, pending;
	struct sigaction act = {.sa_handler = count};
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGTERM);
	printf("%d%d%d\n", sigismember(&set, SIGUSR1), sigismember(&set, SIGHUP), sigaddset(&set, 0));
	sigaction(SIGUSR1, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigprocmask(SIG_BLOCK, &set, &old);
	seen = 0;
	raise(SIGUSR1);
	raise(SIGTERM);
	sigpending(&pending);
	printf("%d %d%d\n", (int)seen, sigismember(&pending, SIGUSR1), sigismember(&pending, SIGINT));
	sigprocmask(SIG_SETMASK, &old, NULL);
	printf("%d\n", seen == SIGUSR1 * 100 + SIGTERM || seen == SIGTERM * 100 + SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	int sig = 0;
	printf("%d", sigwait(&set, &sig));
	printf(" %d\n", sig);
	struct timespec none = {0, 1000000};
	errno = 0;
	printf("%d %d\n", sigtimedwait(&set, NULL, &none), errno == EAGAIN);
	raise(SIGTERM);
	seen = 0;
	errno = 0;
	printf("%d %d", sigsuspend(&old), errno == EINTR);
	printf(" %d\n", (int)seen);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static void faults(void)
{
	stack_t stack = {.ss_sp = alternate, .ss_size = sizeof(alternate)}, old;
	struct sigaction act = {.sa_sigaction = escape, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	printf("%d", sigaltstack(&stack, NULL));
	sigaltstack(NULL, &old);
	printf(" %d\n", old.ss_sp == alternate);
	sigaction(SIGSEGV, &act, NULL);
	sigaction(SIGFPE, &act, NULL);
	sigaction(SIGILL, &act, NULL);
	for (volatile int round = 0; round < 3; round++) {
		if (sigsetjmp(back, 1) == 0)
			*(volatile int *)(0x10UL + (unsigned long)round) = 1;
		printf("%d %d %p %d\n", (int)seen, (int)code, address, (int)on_alternate);
	}
	if (sigsetjmp(back, 1) == 0) {
		volatile int zero = 0, one = 1;
		printf("%d\n", one / zero);
	}
	printf("%d %d\n", (int)seen, (int)code);
	if (sigsetjmp(back, 1) == 0)
		__asm__ volatile("ud2");
	printf("%d %d\n", (int)seen, (int)code);
	act.sa_sigaction = detail;
	sigaction(SIGUSR1, &act, NULL);
	raise(SIGUSR1);
	printf("%d %d %d\n", (int)seen, code <= 0, (int)on_alternate);
}

static void on_abort(int sig)
{
	printf("aborting with %d\n", sig);
	fflush(stdout);
	_exit(3);
}

int main(void)
{
	handlers();
	masks();
	faults();
	signal(SIGABRT, on_abort);
	fflush(stdout);
	abort();
}
