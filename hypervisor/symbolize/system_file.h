/* SPDX-License-Identifier: MIT */
/* Which source files are headers and libraries of the system or of a language, and so not the user's program. */
#ifndef HYPERVISOR_SYMBOLIZE_SYSTEM_FILE_H
#define HYPERVISOR_SYMBOLIZE_SYSTEM_FILE_H

#include <stdbool.h>
#include <string.h>

/** Whether the file with this path, of `bytes` bytes, is one. */
static inline bool system_file_is(const char *path, size_t bytes)
{
	static const char *const begins[] = {
		"libc-port/",    "kernel/",         "build/newlib/",       "eremite/include/",   "/usr/include/",
		"/usr/lib/",     "/usr/local/lib/", "/usr/local/include/", "/usr/local/go/src/", "/usr/share/go",
		"/rustc/",       "/usr/src/",       "library/std/",        "library/core/",      "library/alloc/",
		"library/test/", "library/panic_",  "../sysdeps/"};
	static const char *const inside[] = {"/.cargo/registry/", "/rustlib/src/rust/", "/lib/gcc/",
	                                     "/include/c++/",     "build/newlib/",      "/libc-port/include/"};
	for (unsigned i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (bytes >= strlen(begins[i]) && !strncmp(path, begins[i], strlen(begins[i])))
			return true;
	for (unsigned i = 0; i < sizeof(inside) / sizeof(inside[0]); i++)
		if (memmem(path, bytes, inside[i], strlen(inside[i])))
			return true;
	return false;
}

#endif
