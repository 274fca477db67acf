/* SPDX-License-Identifier: MIT */
/* Small formatted printing for messages: %s %c %d %u %x %p %% with l and width, as printf(3) has them. */
#ifndef KERNEL_LIB_FORMAT_H
#define KERNEL_LIB_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/** Writes at most size bytes with the ending NUL; returns the length written without it. */
size_t format(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
size_t format_va(char *buf, size_t size, const char *fmt, va_list args);

#endif
