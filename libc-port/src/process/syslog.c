/* SPDX-License-Identifier: MIT */
/* syslog(3) without a logger: with LOG_PERROR messages go to standard error; other messages are dropped. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

static const char *identity = "";
static int options, mask = 0xff;

void openlog(const char *name, int wanted, int)
{
	identity = name ? name : "";
	options = wanted;
}

void closelog(void)
{
	openlog(NULL, 0, 0);
}

int setlogmask(int wanted)
{
	int was = mask;
	if (wanted)
		mask = wanted;
	return was;
}

/* Puts the format into buf with %m replaced by the text of an error. */
static void expand_error(char *buf, size_t size, const char *format, int error)
{
	size_t used = 0;
	while (*format && used + 1 < size) {
		if (format[0] == '%' && format[1] == 'm') {
			int length = snprintf(buf + used, size - used, "%s", strerror(error));
			used = used + (size_t)length < size ? used + (size_t)length : size - 1;
			format += 2;
		} else {
			buf[used++] = *format++;
		}
	}
	buf[used] = 0;
}

void vsyslog(int priority, const char *format, va_list args)
{
	char expanded[1024];
	if (!(options & LOG_PERROR) || !(mask & LOG_MASK(LOG_PRI(priority))))
		return;
	expand_error(expanded, sizeof(expanded), format, errno);
	flockfile(stderr);
	fprintf(stderr, "%s", identity);
	if (options & LOG_PID)
		fprintf(stderr, "[%d]", getpid());
	fputs(": ", stderr);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	vfprintf(stderr, expanded, args);
#pragma GCC diagnostic pop
	if (!*format || format[strlen(format) - 1] != '\n')
		fputc('\n', stderr);
	funlockfile(stderr);
}

void syslog(int priority, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsyslog(priority, format, args);
	va_end(args);
}
