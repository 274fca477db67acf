/* SPDX-License-Identifier: MIT */
#include "base/janitor.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	remove(path);
	return 0;
}

static int unlock_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	if (kind == FTW_D || kind == FTW_DNR)
		chmod(path, 0700);
	return 0;
}

void janitor_remove(const char *path)
{
	nftw(path, unlock_one, 64, FTW_PHYS | FTW_MOUNT);
	nftw(path, remove_one, 64, FTW_PHYS | FTW_DEPTH | FTW_MOUNT);
}

/* Waits until all other ends of the pipe are closed, and then removes the directory. */
static _Noreturn void clean_up(const char *path, int pipe_end)
{
	char byte;
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_NAME, "eremite-janitor");
	while (read(pipe_end, &byte, 1) < 0 && errno == EINTR)
		;
	janitor_remove(path);
	_exit(0);
}

int janitor_start(const char *path)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	pid_t pid = fork();
	if (!pid) {
		/* A copy of the janitor, which is nobody's child, so that no wait(2) of eremite sees it. */
		if (fork())
			_exit(0);
		setsid();
		for (int fd = 0; fd < 1024; fd++)
			if (fd != ends[0])
				close(fd);
		clean_up(path, ends[0]);
	}
	int reason = errno;
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return -reason;
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return ends[1];
}
