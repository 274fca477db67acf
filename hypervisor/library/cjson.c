/* SPDX-License-Identifier: MIT */
#include "library/cjson.h"

#include "library/library.h"
#include "library_names.h"

struct cjson cjson;

int cjson_load(struct error *error)
{
#define NAME(name) "cJSON_" #name,
	static const char *const names[] = {CJSON_FUNCTIONS(NAME) NULL};
#undef NAME
	static struct library library = {
		.file = LIBRARY_CJSON, .purpose = "reads and writes JSON", .package = PACKAGE_CJSON};
	return library_load(&library, names, (void **)&cjson, error);
}
