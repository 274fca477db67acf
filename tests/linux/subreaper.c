/* SPDX-License-Identifier: MIT */
/* Orphans become children of their nearest ancestor that asked for that (PR_SET_CHILD_SUBREAPER): it is their parent
 * then, hears of their ends, and waits for them. The request is kept over execve(2), and not inherited. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t told;

static void on_child(int sig)
{
	(void)sig;
	told++;
}

static int asked(void)
{
	int value = -1;
	assert(!prctl(PR_GET_CHILD_SUBREAPER, &value));
	return value;
}

static void await(int fd)
{
	char byte;
	read(fd, &byte, 1);
}

/* A grandchild by a parent that ends once it is there: it waits for `begin` to be closed, and ends so. */
static pid_t make_orphan(int begin, int end, int status)
{
	int ends[2];
	pid_t pid, middle;
	assert(!pipe(ends));
	fflush(stdout);
	middle = fork();
	if (!middle) {
		pid = fork();
		if (!pid) {
			close(end);
			close(ends[0]);
			close(ends[1]);
			await(begin);
			_exit(status);
		}
		assert(write(ends[1], &pid, sizeof(pid)) == sizeof(pid));
		_exit(0);
	}
	assert(waitpid(middle, NULL, 0) == middle);
	assert(read(ends[0], &pid, sizeof(pid)) == sizeof(pid));
	close(ends[0]);
	close(ends[1]);
	return pid;
}

/* One that lives when its parent ends. */
static void living(void)
{
	int ends[2], status;
	assert(!pipe(ends));
	pid_t orphan = make_orphan(ends[0], ends[1], 7);
	told = 0;
	printf("it lives: %d\n", waitpid(orphan, &status, WNOHANG));
	close(ends[1]);
	close(ends[0]);
	printf("it has ended: %d", waitpid(orphan, &status, 0) == orphan);
	printf(", status %x, told %d\n", (unsigned)status, told > 0);
}

/* One that has ended before, and that its parent has not waited for. */
static void ended(void)
{
	siginfo_t info;
	int status;
	fflush(stdout);
	pid_t middle = fork();
	if (!middle) {
		pid_t last = fork();
		if (!last)
			_exit(9);
		assert(!waitid(P_PID, (id_t)last, &info, WEXITED | WNOWAIT));
		_exit(0);
	}
	assert(waitpid(middle, &status, 0) == middle);
	printf("ended before: %d", wait(&status) > 0);
	printf(", status %x\n", (unsigned)status);
}

/* A process between asks, too: it is nearer, until it ends. */
static void nearer(void)
{
	int ends[2], status;
	assert(!pipe(ends));
	fflush(stdout);
	pid_t middle = fork();
	if (!middle) {
		printf("inherited: %d\n", asked());
		assert(!prctl(PR_SET_CHILD_SUBREAPER, 1));
		make_orphan(ends[0], ends[1], 3);
		make_orphan(ends[0], ends[1], 4);
		fflush(stdout);
		_exit(0);
	}
	assert(waitpid(middle, &status, 0) == middle);
	close(ends[0]);
	printf("there: %d\n", waitpid(-1, &status, WNOHANG));
	close(ends[1]);
	int sum = 0;
	for (int i = 0; i < 2; i++) {
		assert(wait(&status) > 0);
		sum += WEXITSTATUS(status);
	}
	printf("both: %d, and no other: %d", sum, wait(&status));
	printf(" %s\n", strerrorname_np(errno));
}

/* What the orphan sees itself. */
static void parents(void)
{
	int ends[2], status;
	pid_t self = getpid();
	assert(!pipe(ends));
	fflush(stdout);
	pid_t middle = fork();
	if (!middle) {
		if (!fork()) {
			printf("first its parent: %d", getppid() != self);
			fflush(stdout);
			close(ends[0]);
			assert(write(ends[1], "x", 1) == 1);
			close(ends[1]);
			while (getppid() != self)
				usleep(1000);
			printf(", then its ancestor: %d\n", getppid() == self);
			fflush(stdout);
			_exit(0);
		}
		await(ends[0]);
		_exit(0);
	}
	assert(waitpid(middle, &status, 0) == middle);
	assert(wait(&status) > 0 && !status);
	close(ends[0]);
	close(ends[1]);
}

/* Who ignores the signal hears of no end. */
static void ignored(void)
{
	int ends[2], status;
	assert(!pipe(ends));
	pid_t orphan = make_orphan(ends[0], ends[1], 5);
	signal(SIGCHLD, SIG_IGN);
	close(ends[1]);
	close(ends[0]);
	printf("ignored: %d", waitpid(orphan, &status, 0));
	printf(" %s\n", strerrorname_np(errno));
	signal(SIGCHLD, on_child);
}

int main(int argc, char **argv)
{
	int status;
	if (argc > 1) {
		printf("executed: %d\n", asked());
		return 0;
	}
	signal(SIGCHLD, on_child);
	printf("at first: %d\n", asked());
	assert(!prctl(PR_SET_CHILD_SUBREAPER, 2));
	printf("asked for: %d\n", asked());
	living();
	ended();
	nearer();
	parents();
	ignored();
	printf("%d", prctl(PR_GET_CHILD_SUBREAPER, NULL));
	printf(" %s\n", strerrorname_np(errno));
	fflush(stdout);
	if (!fork()) {
		assert(!prctl(PR_SET_CHILD_SUBREAPER, 1));
		execl("/proc/self/exe", argv[0], "again", NULL);
		_exit(1);
	}
	assert(wait(&status) > 0 && !status);
	assert(!prctl(PR_SET_CHILD_SUBREAPER, 0));
	printf("taken back: %d\n", asked());
	return 0;
}
