/* SPDX-License-Identifier: MIT */
/* Messages to the user, each written by one call so that lines do not mix. */
#include "base/die.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clean_text.h"

volatile sig_atomic_t say_needs_return, die_was_called;

static void write_line(const char *fmt, va_list args)
{
	char line[1200];
	int start = snprintf(line, sizeof(line), "eremite: ");
	int length = vsnprintf(line + start, sizeof(line) - (size_t)start - 1, fmt, args);
	size_t end = (size_t)start + (size_t)(length < 0 ? 0 : length);
	if (end > sizeof(line) - 3)
		end = sizeof(line) - 3;
	/* The message may contain names chosen by users and guests: no control character may reach the terminal. */
	clean_text(line, end);
	if (say_needs_return)
		line[end++] = '\r';
	line[end] = '\n';
	/* A failed write to stderr cannot be reported. */
	ssize_t ignored = write(STDERR_FILENO, line, end + 1);
	(void)ignored;
}

void say(const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	write_line(fmt, args);
	va_end(args);
}

_Noreturn void die(const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	write_line(fmt, args);
	va_end(args);
	die_was_called = 1;
	exit(EXIT_EREMITE);
}
