/* SPDX-License-Identifier: MIT */
#include "root/mkfs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clean_text.h"
#include "base/die.h"
#include "base/own_path.h"

#define MISSING "making an image needs mkfs.erofs, which is missing; install erofs-utils"

/* Reports a failure of mkfs.erofs by the first line of its output, which names the cause. */
static int tool_failed(int output, int status, const char *path, struct error *error)
{
	char text[600], *line = text;
	ssize_t bytes = pread(output, text, sizeof(text) - 1, 0);
	text[bytes > 0 ? bytes : 0] = 0;
	line[strcspn(line, "\n")] = 0;
	clean_text(line, strlen(line));
	if (!*line)
		snprintf(text, sizeof(text), "status 0x%x", status);
	return error_set(error, EIO, "mkfs.erofs cannot make an image of %.80s: %.120s", path, line);
}

void mkfs_hold_stops(struct mkfs_stops *stops)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD};
	stops->signal = 0;
	sigemptyset(&stops->set);
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct sigaction now;
		sigaction(signals[i], NULL, &now);
		if (now.sa_handler != SIG_IGN) /* nohup */
			sigaddset(&stops->set, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &stops->set, &stops->old);
}

bool mkfs_release_stops(struct mkfs_stops *stops)
{
	const struct timespec none = {0, 0};
	int sig;
	while (!stops->signal && (sig = sigtimedwait(&stops->set, NULL, &none)) > 0)
		if (sig != SIGCHLD)
			stops->signal = sig;
	sigprocmask(SIG_SETMASK, &stops->old, NULL);
	return stops->signal != 0;
}

/* Waits for mkfs.erofs, and kills it if a stop arrives. Returns its wait status. */
static int wait_for_mkfs(pid_t child, struct mkfs_stops *stops)
{
	int status = 0;
	while (waitpid(child, &status, WNOHANG) == 0) {
		int sig = sigwaitinfo(&stops->set, NULL);
		if (sig <= 0 || sig == SIGCHLD)
			continue;
		stops->signal = sig;
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		break;
	}
	return status;
}

/* Starts mkfs.erofs in the directory `dir`; descriptor 3 is the image, its output goes to `output`. */
static int start_mkfs(int dir, int image, int output, char *const arguments[], const sigset_t *signals, pid_t *child)
{
	char *environment[] = {"LC_ALL=C", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL};
	char own[PATH_MAX];
	struct child_plan plan = {
		.path = own_program(arguments[0], own) ? arguments[0] : own, /* a bundle has its own */
		.arguments = arguments,
		.environment = environment,
		.dir = dir,
		.fds = {-1, output, output, image},
		.signals = signals,
	};
	int result = child_start(&plan, child);
	if (result == -ENOENT) { /* a user's PATH may lack /usr/sbin */
		plan.path = "/usr/sbin/mkfs.erofs";
		result = child_start(&plan, child);
	}
	return result;
}

int mkfs_check(struct error *error)
{
	static const char *const places[] = {"/usr/sbin", "/usr/bin", "/sbin", "/bin"};
	char path[PATH_MAX];
	bool exists = !own_program("mkfs.erofs", path);
	for (unsigned i = 0; !exists && i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(path, sizeof(path), "%s/mkfs.erofs", places[i]);
		exists = !access(path, X_OK);
	}
	return exists ? 0 : error_set(error, ENOENT, MISSING);
}

int mkfs_run(int dir, int image, char *const arguments[], const char *path, struct mkfs_stops *stops,
             struct error *error)
{
	pid_t child;
	int status = 0;
	int output = memfd_create("mkfs.erofs", MFD_CLOEXEC);
	if (output < 0)
		return error_set(error, errno, "cannot make a temporary file: %s", strerror(errno));
	int result = start_mkfs(dir, image, output, arguments, &stops->old, &child);
	if (result == -ENOENT)
		error_set(error, ENOENT, MISSING);
	else if (result)
		error_set(error, -result, "cannot start mkfs.erofs: %s", strerror(-result));
	if (!result) {
		status = wait_for_mkfs(child, stops);
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			result = tool_failed(output, status, path, error);
	}
	close(output);
	return result;
}
