/* SPDX-License-Identifier: MIT */
/* Alternate stacks, as handlers on them see them, also such that disarm themselves; which of several signals comes
 * first; and robust locks of a process that executes another program. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static char memory[2][65536];

static int where(void)
{
	char here;
	for (int i = 0; i < 2; i++)
		if (&here >= memory[i] && &here < memory[i] + sizeof(memory[i]))
			return i;
	return -1;
}

static void show(const char *when)
{
	stack_t stack;
	assert(!sigaltstack(NULL, &stack));
	printf("%s: on %d, flags %x, size %zu\n", when, where(), (unsigned)stack.ss_flags, stack.ss_size);
}

static void change(const char *when, int which, int flags)
{
	const stack_t stack = {memory[which], flags, sizeof(memory[which])};
	int result = sigaltstack(&stack, NULL);
	printf("%s: %s\n", when, result ? strerrorname_np(errno) : "changed");
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *interrupted = context;
	(void)info;
	printf("signal %d, uc_stack flags %x, size %zu\n", sig, (unsigned)interrupted->uc_stack.ss_flags,
	       interrupted->uc_stack.ss_size);
	show("  in the handler");
	change("  in the handler", 1, 0);
	show("  then");
	if (sig == SIGUSR1)
		raise(SIGUSR2);
}

static void first(int sig)
{
	printf(" %d", sig);
}

/* Of several that are pending: in which order their handlers begin is the reverse of that in which they are taken. */
static void order(void)
{
	const int signals[] = {SIGHUP, SIGSEGV, SIGUSR1, SIGTRAP, SIGSYS, SIGINT, SIGFPE, SIGRTMIN, SIGBUS, SIGILL};
	struct sigaction action = {.sa_handler = first};
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		action.sa_mask = all;
		sigaction(signals[i], &action, NULL);
		raise(signals[i]);
	}
	printf("order:");
	sigemptyset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	printf("\n");
}

static void robust(void)
{
	pthread_mutex_t *mutex = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t attributes;
	int ready[2], status;
	char byte;
	assert(mutex != MAP_FAILED && !pipe(ready));
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(mutex, &attributes);
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		pthread_mutex_lock(mutex);
		assert(write(ready[1], "x", 1) == 1);
		execl("/proc/self/exe", "any", "wait", NULL);
	}
	assert(read(ready[0], &byte, 1) == 1);
	printf("lock: %s\n", strerrorname_np(pthread_mutex_lock(mutex)));
	kill(child, SIGKILL);
	assert(waitpid(child, &status, 0) == child);
}

static void show_context(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *interrupted = context;
	(void)sig;
	(void)info;
	printf("in the context: flags %x, size %zu\n", (unsigned)interrupted->uc_stack.ss_flags,
	       interrupted->uc_stack.ss_size);
}

/* What a handler's context tells of an alternate stack, and of none after it. */
static void contexts(void)
{
	const struct sigaction action = {.sa_sigaction = show_context, .sa_flags = SA_SIGINFO};
	sigaction(SIGUSR1, &action, NULL); /* not yet: what is told first comes from the program's ancestors */
	change("an alternate stack", 0, 0);
	raise(SIGUSR1);
	change("none", 0, SS_DISABLE);
	raise(SIGUSR1);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_ONSTACK | SA_SIGINFO};
	(void)argv;
	if (argc > 1) {
		pause();
		return 1;
	}
	contexts();
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	show("at first");
	for (unsigned i = 0; i < 5; i++) {
		static const int flags[] = {0, SS_ONSTACK, INT32_MIN, INT32_MIN | SS_ONSTACK, 64};
		printf("flags %x\n", (unsigned)flags[i]);
		change(" set", 0, flags[i]);
		show(" set");
		raise(SIGUSR1);
		show(" after");
		const stack_t none = {.ss_flags = SS_DISABLE};
		assert(!sigaltstack(&none, NULL));
		show(" without");
	}
	order();
	robust();
	return 0;
}
