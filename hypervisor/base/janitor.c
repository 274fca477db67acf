/* SPDX-License-Identifier: MIT */
#include "base/janitor.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DRAWN 6   /* characters at the end of a template */
#define NAMES 100 /* that are tried */

static int held[JANITORS_MAX];
static unsigned held_count;

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

/* Makes the directory, tells how that went as an errno, and waits until all other ends of the connection are closed,
 * whatever comes through it. Signals are blocked. As this process makes the directory, no signal can end eremite
 * between making it and starting its janitor. */
static _Noreturn void serve_janitor(const char *path, int end)
{
	char byte;
	prctl(PR_SET_NAME, "eremite-janitor");
	const int error = mkdir(path, 0700) ? errno : 0;
	send(end, &error, sizeof(error), MSG_NOSIGNAL); /* eremite may have ended: then nothing is read below */
	for (ssize_t got = 1; !error && (got > 0 || (got < 0 && errno == EINTR));)
		got = read(end, &byte, 1);
	if (!error)
		janitor_remove(path);
	_exit(0);
}

/* Starts the janitor with all signals blocked. It is nobody's child, so that no wait(2) of eremite sees it. Returns 0
 * or a negative errno. */
static int fork_janitor(const char *path, const int ends[2])
{
	sigset_t all, before;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	const pid_t pid = fork();
	if (!pid) {
		if (fork())
			_exit(0);
		setsid();
		for (int fd = 0; fd < 1024; fd++)
			if (fd != ends[0])
				close(fd);
		serve_janitor(path, ends[0]);
	}
	const int result = pid < 0 ? -errno : 0;
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return result;
}

/* janitor_start with a name. Returns -EEXIST if there is something of this name. */
static int start_janitor(const char *path)
{
	int ends[2], error = 0;
	ssize_t got = 0;
	/* Programs that are started keep it open as well: they may write to the directory until they end. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
		return -errno;
	int result = fork_janitor(path, ends);
	close(ends[0]);
	while (!result && (got = recv(ends[1], &error, sizeof(error), 0)) < 0 && errno == EINTR)
		;
	if (!result && got != sizeof(error)) {
		rmdir(path); /* the janitor could not be started, or was killed as soon as it had made the directory */
		result = -EAGAIN;
	}
	result = result ? result : -error;
	if (!result)
		return ends[1];
	close(ends[1]);
	return result;
}

int janitor_start(char *template)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	char *const drawn = template + strlen(template) - DRAWN;
	int result = -EEXIST;
	for (unsigned i = 0; result == -EEXIST && i < NAMES; i++) {
		uint8_t bytes[DRAWN];
		if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
			return -errno;
		for (unsigned n = 0; n < DRAWN; n++)
			drawn[n] = letters[bytes[n] % strlen(letters)];
		result = start_janitor(template);
	}
	if (result >= 0 && held_count < JANITORS_MAX)
		held[held_count++] = result;
	return result;
}

void janitor_end(int janitor)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < held_count; i++)
		if (held[i] != janitor)
			held[kept++] = held[i];
	held_count = kept;
	if (janitor >= 0)
		close(janitor);
}

unsigned janitor_held(int janitors[JANITORS_MAX])
{
	memcpy(janitors, held, sizeof(held));
	return held_count;
}
