/* SPDX-License-Identifier: MIT */
#include "base/lz4.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#define LIBRARY "liblz4.so.1"

struct lz4 lz4;

int lz4_load(char error[256])
{
	static bool loaded;
	if (loaded)
		return 0;
	void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
	loaded = library;
#define FIND(name) \
	*(void **)&lz4.name = library ? dlsym(library, "LZ4_" #name) : NULL; \
	loaded = loaded && lz4.name;
	LZ4_FUNCTIONS(FIND)
#undef FIND
	if (loaded)
		return 0;
	snprintf(error, 256, LIBRARY ", which reads compressed images, is missing; install liblz4-1");
	return -ELIBACC;
}
