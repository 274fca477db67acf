/* SPDX-License-Identifier: MIT */
/* Programs with AddressSanitizer and its like contain a runtime, whose threads share much memory of its own. A switch
 * there is seldom that of a bug, and there are many more of its instructions than of the program's. */
#ifndef HYPERVISOR_SEARCH_SANITIZER_H
#define HYPERVISOR_SEARCH_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>

/** Whether a file, by its path of `length` bytes, is the library of such a runtime. */
bool search_sanitizer_is_library(const char *path, size_t length);

/** Whether a function, by its name, is of such a runtime. */
bool search_sanitizer_is_function(const char *name, size_t length);

#endif
