/* SPDX-License-Identifier: MIT */
/* Messages with the program's name: err(3), error(3). */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned int error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

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

static void error_end(int status, int errnum, const char *format, va_list args)
{
	vfprintf(stderr, format, args);
	if (errnum)
		fprintf(stderr, ": %s", strerror(errnum));
	fputc('\n', stderr);
	error_message_count++;
	fflush(stderr);
	if (status)
		exit(status);
}

void error(int status, int errnum, const char *format, ...)
{
	va_list args;
	fflush(stdout);
	if (error_print_progname)
		error_print_progname();
	else
		fprintf(stderr, "%s: ", program_invocation_name);
	va_start(args, format);
	error_end(status, errnum, format, args);
	va_end(args);
}

void error_at_line(int status, int errnum, const char *file, unsigned int line, const char *format, ...)
{
	static const char *last_file;
	static unsigned int last_line;
	va_list args;
	if (error_one_per_line && line == last_line &&
	    (file == last_file || (file && last_file && !strcmp(file, last_file))))
		return;
	last_file = file;
	last_line = line;
	fflush(stdout);
	if (error_print_progname)
		error_print_progname();
	else
		fprintf(stderr, "%s:", program_invocation_name);
	if (file)
		fprintf(stderr, "%s:%u: ", file, line);
	else
		fputc(' ', stderr);
	va_start(args, format);
	error_end(status, errnum, format, args);
	va_end(args);
}
