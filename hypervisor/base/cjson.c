/* SPDX-License-Identifier: MIT */
#include "base/cjson.h"

#include "base/library.h"

struct cjson cjson;

int cjson_load(char error[256])
{
#define NAME(name) "cJSON_" #name,
	static const char *const names[] = {CJSON_FUNCTIONS(NAME) NULL};
#undef NAME
	static struct library library = {
		.file = "libcjson.so.1", .purpose = "reads and writes JSON", .package = "libcjson1"};
	return library_load(&library, names, (void **)&cjson, error);
}
