/* SPDX-License-Identifier: MIT */
/* Preloaded: runs the shell command $AT_DO before the call number $AT_NUMBER of the function $AT_CALL in this process,
 * so that a test can change a file between two steps of the program. Children do not do so again. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long count;
static pid_t counting;

__attribute__((constructor)) static void begin(void)
{
	counting = getpid();
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void before_call(const char *name)
{
	const char *call = getenv("AT_CALL"), *number = getenv("AT_NUMBER"), *command = getenv("AT_DO");
	if (!call || !command || strcmp(call, name) || getpid() != counting)
		return;
	if (++count != strtoul(number ? number : "1", NULL, 10))
		return;
	pid_t child = REAL(fork)();
	if (!child) {
		unsetenv("LD_PRELOAD");
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	REAL(waitpid)(child, NULL, 0);
}

int mkdir(const char *path, mode_t mode)
{
	before_call("mkdir");
	return REAL(mkdir)(path, mode);
}

int mkdirat(int dir, const char *path, mode_t mode)
{
	before_call("mkdirat");
	return REAL(mkdirat)(dir, path, mode);
}

pid_t fork(void)
{
	before_call("fork");
	return REAL(fork)();
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	before_call("waitpid");
	return REAL(waitpid)(pid, status, options);
}
