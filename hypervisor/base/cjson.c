/* SPDX-License-Identifier: MIT */
#include "base/cjson.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#define LIBRARY "libcjson.so.1"

struct cjson cjson;

int cjson_load(char error[256])
{
	static bool loaded;
	if (loaded)
		return 0;
	void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
	loaded = library;
#define FIND(name) \
	*(void **)&cjson.name = library ? dlsym(library, "cJSON_" #name) : NULL; \
	loaded = loaded && cjson.name;
	CJSON_FUNCTIONS(FIND)
#undef FIND
	if (loaded)
		return 0;
	snprintf(error, 256, LIBRARY ", which reads and writes JSON, is missing; install libcjson1");
	return -ELIBACC;
}
