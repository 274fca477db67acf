/* SPDX-License-Identifier: MIT */
/* A timer ends the process directly, because there is nothing to clean up before the run. */
#include "session/opening.h"

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/exit_status.h"

static char line[400];
static size_t line_bytes;

static struct {
	const char *path; /* of the image; NULL: there is no limit */
	double timeout_s, end_s;
} limit;

/* Uses only calls that are allowed in signal handlers (signal-safety(7)). */
static void on_alarm(int sig)
{
	(void)sig;
	ssize_t written = write(STDERR_FILENO, line, line_bytes);
	(void)written;
	_exit(EXIT_TIMEOUT);
}

static void set_timer(double seconds)
{
	const time_t whole = (time_t)seconds;
	const struct itimerval value = {
		.it_value = {whole, (suseconds_t)((seconds - (double)whole) * 1e6) + (seconds > 0)}};
	setitimer(ITIMER_REAL, &value, NULL);
}

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void start(const char *path, double timeout_s, double seconds)
{
	const struct sigaction action = {.sa_handler = on_alarm};
	sigset_t set;
	line_bytes =
		(size_t)snprintf(line, sizeof(line),
	                         "eremite: stopped after --timeout %g seconds, waiting for %.300s\n", timeout_s, path);
	clean_text(line, line_bytes - 1);
	sigaction(SIGALRM, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	set_timer(seconds);
}

/* What is left of the limit, at least a moment. */
static double left_s(void)
{
	const double left = limit.end_s - now_s();
	return left > 0.001 ? left : 0.001;
}

void opening_begin(const char *path, double timeout_s)
{
	if (timeout_s > 0)
		start(path, timeout_s, limit.path && left_s() < timeout_s ? left_s() : timeout_s);
}

void opening_end(void)
{
	if (limit.path)
		start(limit.path, limit.timeout_s, left_s());
	else
		set_timer(0);
}

void opening_limit(const char *path, double timeout_s)
{
	if (timeout_s <= 0)
		return;
	limit.path = path;
	limit.timeout_s = timeout_s;
	limit.end_s = now_s() + timeout_s;
	opening_end();
}

void opening_limit_end(void)
{
	if (!limit.path)
		return;
	limit.path = NULL;
	set_timer(0);
}
