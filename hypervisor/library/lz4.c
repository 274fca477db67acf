/* SPDX-License-Identifier: MIT */
#include "library/lz4.h"

#include "library/library.h"
#include "library_names.h"

struct lz4 lz4;

int lz4_load(struct error *error)
{
#define NAME(name) "LZ4_" #name,
	static const char *const names[] = {LZ4_FUNCTIONS(NAME) NULL};
#undef NAME
	static struct library library = {
		.file = LIBRARY_LZ4, .purpose = "reads compressed images", .package = PACKAGE_LZ4};
	return library_load(&library, names, (void **)&lz4, error);
}
