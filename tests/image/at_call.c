/* SPDX-License-Identifier: MIT */
/* Preloaded: runs shell commands at calls of functions, so that a test can change a file between two steps of a
 * program. $AT_1 to $AT_4 are "FUNCTION DEPTH NUMBER COMMAND": the command runs before that call of mkdir, mkdirat or
 * fork, or after that return of waitpid, in a process that is so many forks below the first one. It runs once, and
 * makes the file $AT_DONE.N. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMMANDS 4
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static unsigned long depth, counts[COMMANDS]; /* of calls of this process */

/* Whether no process has run the command yet. */
static int is_first(unsigned number)
{
	char path[4200];
	const char *done = getenv("AT_DONE");
	snprintf(path, sizeof(path), "%s.%u", done ? done : "/nonexistent/", number);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void run_command(const char *command)
{
	pid_t child = REAL(fork)();
	if (!child) {
		unsetenv("LD_PRELOAD");
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	REAL(waitpid)(child, NULL, 0);
}

static void at_call(const char *name)
{
	for (unsigned i = 0; i < COMMANDS; i++) {
		char variable[] = "AT_1", *end;
		variable[3] = (char)(variable[3] + i);
		const char *at = getenv(variable);
		const size_t bytes = strlen(name);
		if (!at || strncmp(at, name, bytes) || at[bytes] != ' ')
			continue;
		if (strtoul(at + bytes, &end, 10) == depth && ++counts[i] == strtoul(end, &end, 10) && is_first(i))
			run_command(end);
	}
}

int mkdir(const char *path, mode_t mode)
{
	at_call("mkdir");
	return REAL(mkdir)(path, mode);
}

int mkdirat(int dir, const char *path, mode_t mode)
{
	at_call("mkdirat");
	return REAL(mkdirat)(dir, path, mode);
}

pid_t fork(void)
{
	at_call("fork");
	pid_t pid = REAL(fork)();
	if (!pid) {
		depth++;
		memset(counts, 0, sizeof(counts));
	}
	return pid;
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	pid_t result = REAL(waitpid)(pid, status, options);
	at_call("waitpid");
	return result;
}
