/* SPDX-License-Identifier: MIT */
/* Messages with the program's name: err(3), error(3). */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned int error_message_count;

static void message(const char *format, va_list args, const char *reason)
{
	fprintf(stderr, "%s: ", program_invocation_short_name);
	if (format)
		vfprintf(stderr, format, args);
	if (format && reason)
		fputs(": ", stderr);
	if (reason)
		fputs(reason, stderr);
	fputc('\n', stderr);
}

void vwarn(const char *format, va_list args)
{
	message(format, args, strerror(errno));
}

void vwarnx(const char *format, va_list args)
{
	message(format, args, NULL);
}

void verr(int status, const char *format, va_list args)
{
	vwarn(format, args);
	exit(status);
}

void verrx(int status, const char *format, va_list args)
{
	vwarnx(format, args);
	exit(status);
}

void warn(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vwarn(format, args);
	va_end(args);
}

void warnx(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vwarnx(format, args);
	va_end(args);
}

void err(int status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	verr(status, format, args);
}

void errx(int status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	verrx(status, format, args);
}

void error(int status, int errnum, const char *format, ...)
{
	va_list args;
	fflush(stdout);
	fprintf(stderr, "%s: ", program_invocation_name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	if (errnum)
		fprintf(stderr, ": %s", strerror(errnum));
	fputc('\n', stderr);
	error_message_count++;
	if (status)
		exit(status);
}
