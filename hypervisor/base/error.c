/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

int error_set(struct error *error, int reason, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsnprintf(error->text, sizeof(error->text), fmt, args);
	va_end(args);
	return -reason;
}

int error_prefix(struct error *error, int reason, const char *fmt, ...)
{
	const struct error line = *error;
	va_list args;
	va_start(args, fmt);
	const int begin = vsnprintf(error->text, sizeof(error->text), fmt, args);
	va_end(args);
	if (begin >= 0 && (size_t)begin < sizeof(error->text))
		snprintf(error->text + begin, sizeof(error->text) - (size_t)begin, "%s", line.text);
	return -reason;
}
