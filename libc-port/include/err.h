/* SPDX-License-Identifier: MIT */
/* Messages on standard error with the program's name (err(3)). */
#ifndef _ERR_H
#define _ERR_H

#include <sys/cdefs.h>
#include <stdarg.h>

__BEGIN_DECLS

void err(int __status, const char *__format, ...) __attribute__((noreturn, format(printf, 2, 3)));
void errx(int __status, const char *__format, ...) __attribute__((noreturn, format(printf, 2, 3)));
void verr(int __status, const char *__format, va_list __args) __attribute__((noreturn, format(printf, 2, 0)));
void verrx(int __status, const char *__format, va_list __args) __attribute__((noreturn, format(printf, 2, 0)));
void warn(const char *__format, ...) __attribute__((format(printf, 1, 2)));
void warnx(const char *__format, ...) __attribute__((format(printf, 1, 2)));
void vwarn(const char *__format, va_list __args) __attribute__((format(printf, 1, 0)));
void vwarnx(const char *__format, va_list __args) __attribute__((format(printf, 1, 0)));

__END_DECLS

#endif
