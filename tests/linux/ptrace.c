/* SPDX-License-Identifier: MIT */
/* A process that shares memory and files with another has its threads stand still, reads their registers, and lets them
 * go; what sanitizers do at the end of a program. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/linux/asleep.h"

#define THREADS 3
#define STACK_BYTES 262144
#define SHARED (CLONE_VM | CLONE_FS | CLONE_FILES)

static volatile pid_t threads[THREADS + 1];
static volatile uint64_t stacks[THREADS + 1]; /* an address in each one's stack */
static volatile int let_go, turns, descriptor;
static int mixes[2], starts[2];
static char stack[STACK_BYTES] __attribute__((aligned(16)));

static const char *name_of(int error)
{
	return !error            ? "0"
	       : error == ESRCH  ? "ESRCH"
	       : error == EPERM  ? "EPERM"
	       : error == EINVAL ? "EINVAL"
	                         : "other";
}

#define SAY(call) \
	do { \
		errno = 0; \
		long result = (call); \
		printf("%s: %ld %s\n", #call, result, name_of(errno)); \
	} while (0)

/* Waits in the kernel, or runs from when it may start. */
static void *work(void *number)
{
	char byte;
	long i = (long)number;
	stacks[i] = (uint64_t)&byte;
	threads[i] = (pid_t)syscall(SYS_gettid);
	if (i == 1)
		while (read(mixes[0], &byte, 1) < 0)
			;
	else {
		while (read(starts[0], &byte, 1) < 0)
			;
		while (!let_go) {
			turns++;
			sched_yield();
		}
	}
	return NULL;
}

static void look_at(int i)
{
	pid_t tid = threads[i];
	struct user_regs_struct registers, again;
	struct iovec vector = {&again, sizeof(again)};
	int status = 0;
	printf("thread %d\n", i);
	SAY(ptrace(PTRACE_GETREGS, tid, NULL, &registers));
	SAY(ptrace(PTRACE_ATTACH, tid, NULL, NULL));
	SAY(waitpid(tid, &status, __WALL) == tid);
	printf("stands: %d %d\n", WIFSTOPPED(status), WSTOPSIG(status) == SIGSTOP);
	SAY(ptrace(PTRACE_ATTACH, tid, NULL, NULL));
	SAY(ptrace(PTRACE_GETREGS, tid, NULL, &registers));
	SAY(ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &vector));
	printf("%zu bytes, the same: %d\n", vector.iov_len, !memcmp(&registers, &again, sizeof(again)));
	printf("near its stack: %d\n", registers.rsp < stacks[i] && stacks[i] - registers.rsp < 100000);
	printf("selectors %llx %llx, in call %lld\n", registers.cs, registers.ss,
	       i == 1 ? (long long)registers.orig_rax : 0LL);
}

static int trace(void *unused)
{
	(void)unused;
	printf("shared: %d, own number: %d\n", fcntl(descriptor, F_GETFD) >= 0, getpid() != getppid());
	for (int i = 0; i <= THREADS; i++)
		look_at(i);
	int before = turns;
	for (int i = 0; i < 100; i++)
		sched_yield();
	printf("nobody runs: %d\n", turns == before);
	for (int i = 0; i <= THREADS; i++)
		SAY(ptrace(PTRACE_DETACH, threads[i], NULL, NULL));
	SAY(ptrace(PTRACE_DETACH, threads[1], NULL, NULL));
	SAY(ptrace(PTRACE_ATTACH, 999999, NULL, NULL));
	while (turns == before)
		sched_yield();
	umask(0123);
	close(descriptor);
	let_go = 1;
	(void)!write(mixes[1], "", 1);
	return 7;
}

/* Attaches, and ends without letting go. */
static int forget(void *unused)
{
	(void)unused;
	SAY(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
	SAY(waitpid(getppid(), NULL, __WALL) == getppid());
	return 8;
}

int main(void)
{
	pthread_t ids[THREADS + 1];
	char byte;
	int status = 0;
	setvbuf(stdout, NULL, _IONBF, 0);
	stacks[0] = (uint64_t)&byte;
	threads[0] = getpid();
	descriptor = dup(1);
	if (pipe(mixes) || pipe(starts))
		return 1;
	for (long i = 1; i <= THREADS; i++)
		pthread_create(&ids[i], NULL, work, (void *)i);
	for (int i = 1; i <= THREADS; i++)
		while (!threads[i])
			sched_yield();
	asleep_await(threads[1]); /* in its read */
	if (write(starts[1], "xx", THREADS - 1) != THREADS - 1)
		return 1;
	while (!turns)
		sched_yield();
	pid_t child = clone(trace, stack + STACK_BYTES, SHARED, NULL);
	while (!let_go)
		sched_yield();
	SAY(waitpid(child, &status, __WALL) == child);
	printf("%d %d\n", WIFEXITED(status), WEXITSTATUS(status));
	printf("shared: %d %o\n", fcntl(descriptor, F_GETFD), umask(0));
	for (int i = 1; i <= THREADS; i++)
		pthread_join(ids[i], NULL);
	child = clone(forget, stack + STACK_BYTES, SHARED | SIGCHLD, NULL);
	SAY(waitpid(child, &status, 0) == child);
	printf("%d %d\n", WIFEXITED(status), WEXITSTATUS(status));
	return 0;
}
