/* SPDX-License-Identifier: MIT */
/* Text that is made of parts. */
#ifndef HYPERVISOR_TEXT_H
#define HYPERVISOR_TEXT_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/** Returns text as printf(3) makes it. The caller frees it. Ends eremite without memory. */
char *text_of(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** The same with the arguments as a list. */
char *text_of_list(const char *fmt, va_list arguments) __attribute__((format(printf, 1, 0)));

/** A text that is written to a stream. */
struct text_made {
	FILE *to;
	char *text;
	size_t bytes;
};

/** Returns the stream. Ends eremite without memory. */
FILE *text_open(struct text_made *made);

/** Returns what was written to it. The caller frees it. Ends eremite without memory. */
char *text_close(struct text_made *made);

/** Returns a copy of a text. The caller frees it. Ends eremite without memory. */
char *text_copy(const char *text);

/** The end of a plural behind a number: "1 file", "2 files". */
static inline const char *text_s(uint64_t number)
{
	return number == 1 ? "" : "s";
}

#endif
