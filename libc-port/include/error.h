/* SPDX-License-Identifier: MIT */
/* error(3). */
#ifndef _ERROR_H
#define _ERROR_H

#include <sys/cdefs.h>

__BEGIN_DECLS

void error(int __status, int __errnum, const char *__format, ...) __attribute__((format(printf, 3, 4)));
void error_at_line(int __status, int __errnum, const char *__file, unsigned int __line, const char *__format, ...)
	__attribute__((format(printf, 5, 6)));
extern unsigned int error_message_count;
extern int error_one_per_line;
extern void (*error_print_progname)(void);

__END_DECLS

#endif
