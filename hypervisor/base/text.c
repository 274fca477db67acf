/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

char *text_of_list(const char *fmt, va_list arguments)
{
	char *text;
	memory_check(vasprintf(&text, fmt, arguments) >= 0);
	return text;
}

char *text_of(const char *fmt, ...)
{
	va_list arguments;
	va_start(arguments, fmt);
	char *text = text_of_list(fmt, arguments);
	va_end(arguments);
	return text;
}

char *text_copy(const char *text)
{
	return memory_or_die(strdup(text));
}
