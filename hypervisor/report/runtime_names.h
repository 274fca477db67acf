/* SPDX-License-Identifier: MIT */
/* Functions and files of the runtimes of Go and of sanitizers. Their threads share much memory of their own, and there
 * are many more of their instructions than of the program's: a switch or an access there is seldom that of a bug. */
#ifndef HYPERVISOR_RUNTIME_NAMES_H
#define HYPERVISOR_RUNTIME_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/** Whether a file, by its path of `length` bytes, is the library of AddressSanitizer or another sanitizer. */
bool runtime_names_is_sanitizer_file(const char *path, size_t length);

/** Whether a function, by its name, is of a sanitizer's library. */
bool runtime_names_is_sanitizer(const char *name, size_t length);

/** Whether a function, by its name, is of Go's runtime. */
bool runtime_names_is_go(const char *name, size_t length);

#endif
