/* SPDX-License-Identifier: MIT */
#include "base/text.h"

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

FILE *text_open(struct text_made *made)
{
	return made->to = memory_or_die(open_memstream(&made->text, &made->bytes));
}

char *text_close(struct text_made *made)
{
	memory_check(!ferror(made->to) && !fclose(made->to));
	return made->text;
}
