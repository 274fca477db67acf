/* SPDX-License-Identifier: MIT */
/* Small formatted printing for messages: %s %c %d %u %x %p %% with l and width, as in printf(3). */
#ifndef KERNEL_LIB_FORMAT_H
#define KERNEL_LIB_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/** Writes at most `size` bytes including the NUL. Returns the length without the NUL. */
size_t format(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
size_t format_va(char *buf, size_t size, const char *fmt, va_list args);

#endif
