/* SPDX-License-Identifier: MIT */
#include "library/libarchive.h"

#include "library/library.h"
#include "library_names.h"

struct libarchive libarchive;

int libarchive_load(struct error *error)
{
#define NAME(name) "archive_" #name,
	static const char *const names[] = {LIBARCHIVE_FUNCTIONS(NAME) NULL};
#undef NAME
	static struct library library = {
		.file = LIBRARY_ARCHIVE, .purpose = "reads tar archives", .package = PACKAGE_ARCHIVE};
	return library_load(&library, names, (void **)&libarchive, error);
}
