/* SPDX-License-Identifier: MIT */
/* A private futex belongs to memory, not to a process: processes that share their memory (CLONE_VM) wait and wake at
 * the same word, as the tracer of LeakSanitizer does; a process with a copy of the memory does not. */
#include <assert.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint32_t word;
static long waited, woken;
static char stack[65536] __attribute__((aligned(16)));

static long wait_at(int private, const struct timespec *timeout)
{
	return syscall(SYS_futex, &word, FUTEX_WAIT | private, 0, timeout);
}

static long wake(int private)
{
	return syscall(SYS_futex, &word, FUTEX_WAKE | private, 1);
}

static int waits(void *private)
{
	waited = wait_at(*(int *)private, NULL);
	return 0;
}

static int wakes(void *private)
{
	while (!(woken = wake(*(int *)private)))
		sched_yield();
	return 0;
}

static void same_memory(int private, int (*does)(void *), int (*parent)(void *))
{
	int status;
	waited = woken = -1;
	pid_t pid = clone(does, stack + sizeof(stack), CLONE_VM | SIGCHLD, &private);
	assert(pid > 0);
	parent(&private);
	assert(waitpid(pid, &status, 0) == pid);
	printf("%s, the child %s: waited %ld, woken %ld, status %d\n", private ? "private" : "shared",
	       does == waits ? "waits" : "wakes", waited, woken, status);
}

static void copied_memory(int private)
{
	const struct timespec while_parent_wakes = {.tv_nsec = 50000000};
	int status;
	long all = 0;
	fflush(stdout);
	pid_t pid = fork();
	if (!pid)
		_exit(wait_at(private, &while_parent_wakes) ? 7 : 0);
	while (!waitpid(pid, &status, WNOHANG)) {
		all += wake(private);
		sched_yield();
	}
	printf("%s, a copy: woken %ld, status %d\n", private ? "private" : "shared", all, WEXITSTATUS(status));
}

int main(void)
{
	const int kinds[] = {FUTEX_PRIVATE_FLAG, 0};
	for (unsigned i = 0; i < 2; i++) {
		same_memory(kinds[i], waits, wakes);
		same_memory(kinds[i], wakes, waits);
		copied_memory(kinds[i]);
	}
	return 0;
}
