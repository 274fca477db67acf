/* SPDX-License-Identifier: MIT */
#include "pack/libarchive.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

#include "base/die.h"

#define LIBRARY "libarchive.so.13"

struct libarchive libarchive;

int libarchive_load(char error[256])
{
	static bool loaded;
	if (loaded)
		return 0;
	void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
	loaded = library;
#define FIND(name) \
	*(void **)&libarchive.name = library ? dlsym(library, "archive_" #name) : NULL; \
	loaded = loaded && libarchive.name;
	LIBARCHIVE_FUNCTIONS(FIND)
#undef FIND
	if (loaded)
		return 0;
	return refuse(error, ELIBACC, LIBRARY ", which reads tar archives, is missing; install libarchive13");
}
