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
	static bool tried, loaded;
	void *library = tried ? NULL : dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
	loaded = tried ? loaded : library != NULL;
#define FIND(name) \
	if (library) \
		*(void **)&lz4.name = dlsym(library, "LZ4_" #name); \
	loaded = loaded && lz4.name;
	LZ4_FUNCTIONS(FIND)
#undef FIND
	tried = true;
	if (loaded)
		return 0;
	snprintf(error, 256, LIBRARY ", which reads compressed images, is missing; install liblz4-1");
	return -ELIBACC;
}
