/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"

char *text_of(const char *fmt, ...)
{
	va_list arguments;
	char *text;
	va_start(arguments, fmt);
	if (vasprintf(&text, fmt, arguments) < 0)
		die("out of memory");
	va_end(arguments);
	return text;
}

char *text_copy(const char *text)
{
	char *copy = strdup(text);
	if (!copy)
		die("out of memory");
	return copy;
}
