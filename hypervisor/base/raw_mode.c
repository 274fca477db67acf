/* SPDX-License-Identifier: MIT */
#include "base/raw_mode.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/die.h"

static struct termios saved, raw;
static bool is_open, shows_errors;
static volatile sig_atomic_t is_raw;

int raw_mode_open(uint16_t *rows, uint16_t *columns, struct error *error)
{
	struct winsize size = {0};
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return error_set(
			error, ENOTTY,
			"run: --tty needs a terminal, and standard %s is not one; leave --tty out, or run it in "
			"a terminal or under script(1)",
			isatty(STDIN_FILENO) ? "output" : "input");
	if (tcgetattr(STDIN_FILENO, &saved))
		return error_set(error, errno, "run: --tty: cannot read the settings of the terminal: %s",
		                 strerror(errno));
	ioctl(STDIN_FILENO, TIOCGWINSZ, &size); /* a serial line has no size */
	*rows = size.ws_row;
	*columns = size.ws_col;
	raw = saved;
	cfmakeraw(&raw);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	shows_errors = isatty(STDERR_FILENO);
	is_open = true;
	return 0;
}

bool raw_mode_is_open(void)
{
	return is_open;
}

static void set_terminal(const struct termios *settings)
{
	while (tcsetattr(STDIN_FILENO, TCSANOW, settings) && errno == EINTR)
		;
}

void raw_mode_leave(void)
{
	if (!is_raw)
		return;
	is_raw = 0;
	say_needs_return = 0;
	set_terminal(&saved);
}

/* SIGTSTP from kill(1): a typed ^Z belongs to the guest. */
static void restore_on_stop(int sig)
{
	int error = errno;
	(void)sig;
	if (is_raw)
		set_terminal(&saved);
	raise(SIGSTOP);
	errno = error;
}

static void on_continue(int sig)
{
	int error = errno;
	(void)sig;
	if (is_raw)
		set_terminal(&raw);
	errno = error;
}

void raw_mode_enter(void)
{
	const struct sigaction stop = {.sa_handler = restore_on_stop, .sa_flags = SA_RESTART};
	const struct sigaction go_on = {.sa_handler = on_continue, .sa_flags = SA_RESTART};
	sigaction(SIGTSTP, &stop, NULL);
	sigaction(SIGCONT, &go_on, NULL);
	is_raw = 1;
	say_needs_return = shows_errors;
	set_terminal(&raw);
	atexit(raw_mode_leave);
}

void raw_mode_restore(int fd)
{
	while (tcsetattr(fd, TCSANOW, &saved) && errno == EINTR)
		;
}
