/* SPDX-License-Identifier: MIT */
/* Processes: what a child has of its own, how it ends, and what its parent is told. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int value = 1;
static volatile sig_atomic_t children;

static pid_t start(void (*body)(void))
{
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		body();
		fflush(stdout);
		_exit(99);
	}
	return child;
}

static void tell(const char *what, pid_t child)
{
	int status;
	pid_t ended = waitpid(child, &status, 0);
	printf("%s: %s ", what, ended == child ? "the child" : "another");
	if (WIFEXITED(status))
		printf("exited with %d\n", WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		printf("died of signal %d\n", WTERMSIG(status));
}

static void change(void)
{
	value = 2;
	char *heap = malloc(3 << 20);
	memset(heap, 7, 3 << 20);
	_exit(value);
}

static void crash(void)
{
	*(volatile int *)NULL = 1;
}

static void wait_for_ever(void)
{
	for (;;)
		pause();
}

static void end_group(void)
{
	kill(0, SIGTERM);
	pause();
}

static void grandchild(void)
{
	pid_t child = fork();
	if (child == 0)
		_exit(5);
	int status;
	waitpid(child, &status, 0);
	_exit(WEXITSTATUS(status) + 1);
}

static void count(int sig)
{
	(void)sig;
	children++;
}

static void memory(void)
{
	int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int *private = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*shared = *private = 1;
	pid_t child = fork();
	if (child == 0) {
		*shared = *private = 2;
		_exit(0);
	}
	waitpid(child, NULL, 0);
	printf("memory: shared %d, private %d\n", *shared, *private);
}

static void pipes(void)
{
	int to[2], from[2];
	char line[32] = "";
	if (pipe(to) || pipe(from))
		return;
	pid_t child = fork();
	if (child == 0) {
		close(to[1]);
		close(from[0]);
		ssize_t got = read(to[0], line, sizeof(line));
		for (ssize_t i = 0; i < got; i++)
			line[i] ^= 0x20;
		write(from[1], line, (size_t)got);
		_exit(read(to[0], line, 1) == 0 ? 0 : 1);
	}
	close(to[0]);
	close(from[1]);
	write(to[1], "through", 7);
	printf("pipes: %zd bytes, ", read(from[0], line, sizeof(line)));
	printf("%s\n", line);
	close(to[1]);
	printf("at the end %zd\n", read(from[0], line, sizeof(line)));
	tell("pipes", child);
}

static void offsets(void)
{
	char name[] = "/tmp/offsets-XXXXXX"; /* not O_TMPFILE: an overlay has none before Linux 6.6 */
	int fd = mkstemp(name);
	unlink(name);
	write(fd, "0123456789", 10);
	lseek(fd, 0, SEEK_SET);
	pid_t child = fork();
	if (child == 0) {
		char part[4];
		read(fd, part, 4);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	printf("an open file is shared: offset %ld\n", (long)lseek(fd, 0, SEEK_CUR));
	close(fd);
}

static void groups(void)
{
	int status, fd[2];
	char ready;
	if (pipe(fd))
		return;
	pid_t child = fork();
	if (child == 0) {
		setpgid(0, 0);
		write(fd[1], "", 1);
		end_group();
	}
	read(fd[0], &ready, 1);
	printf("groups: its own: %d\n", getpgid(child) == child);
	waitpid(-child, &status, 0);
	printf("groups: died of signal %d\n", WTERMSIG(status));
}

/* Nobody but its parent is told of a child, which may have ended before. */
static void orphan(void)
{
	int fd[2], status;
	char ready;
	if (pipe(fd))
		return;
	pid_t child = fork();
	if (child == 0) {
		if (fork() == 0) {
			usleep(1000);
			write(fd[1], "", 1);
			_exit(0);
		}
		_exit(1);
	}
	waitpid(child, &status, 0);
	printf("orphan: %d, %s\n", (int)waitpid(-1, &status, 0), strerror(errno));
	read(fd[0], &ready, 1);
	printf("orphan: %d, %s\n", (int)waitpid(-1, &status, WNOHANG), strerror(errno));
}

static void many(void)
{
	int ended = 0;
	for (int i = 0; i < 2000; i++) {
		pid_t child = fork();
		if (child == 0)
			_exit(0);
		ended += waitpid(child, NULL, 0) == child;
	}
	printf("many: %d\n", ended);
}

static void reaped_by_itself(void)
{
	int status;
	signal(SIGCHLD, SIG_IGN);
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	pid_t result = waitpid(child, &status, 0);
	printf("nobody asks: %d, %s\n", (int)result, strerror(errno));
	signal(SIGCHLD, SIG_DFL);
}

int main(void)
{
	tell("memory of its own", start(change));
	printf("value %d\n", value);
	tell("crash", start(crash));
	pid_t child = start(wait_for_ever);
	kill(child, SIGKILL);
	tell("kill", child);
	tell("grandchild", start(grandchild));
	signal(SIGCHLD, count);
	for (int i = 0; i < 3; i++)
		tell("a handler is told", start(change));
	printf("of %d ends\n", children);
	signal(SIGCHLD, SIG_DFL);
	memory();
	pipes();
	offsets();
	groups();
	orphan();
	many();
	reaped_by_itself();
	printf("no child: %d, %s\n", (int)wait(NULL), strerror(errno));
	printf("system: %d\n", WEXITSTATUS(system("exit 3")));
	return 0;
}
