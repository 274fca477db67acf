/* SPDX-License-Identifier: MIT */
/* A timer ends the process directly, because there is nothing to clean up before the run. */
#include "session/opening.h"

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/exit_status.h"

static char line[400];
static size_t line_bytes;

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

void opening_begin(const char *path, double timeout_s)
{
	const struct sigaction action = {.sa_handler = on_alarm};
	sigset_t set;
	if (timeout_s <= 0)
		return;
	line_bytes =
		(size_t)snprintf(line, sizeof(line),
	                         "eremite: stopped after --timeout %g seconds, waiting for %.300s\n", timeout_s, path);
	clean_text(line, line_bytes - 1);
	sigaction(SIGALRM, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	set_timer(timeout_s);
}

void opening_end(void)
{
	set_timer(0);
}
