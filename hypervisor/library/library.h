/* SPDX-License-Identifier: MIT */
/* Shared libraries that are loaded on demand instead of with eremite. */
#ifndef HYPERVISOR_LIBRARY_H
#define HYPERVISOR_LIBRARY_H

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/** `file` and `package` are of library_names.h, which scripts/library-names makes. */
struct library {
	const char *file, *purpose, *package; /**< for the message: FILE, which PURPOSE, is missing; install PACKAGE */
	bool is_tried, is_loaded;
};

/**
 * Loads the library at the first call, whose result later ones return: a confined process cannot load one. functions[]
 * are pointers to the functions with these names, which end with NULL. Returns 0, or a negative errno with one line in
 * *error.
 */
static inline int library_load(struct library *library, const char *const names[], void *functions[],
                               struct error *error)
{
	void *handle = library->is_tried ? NULL : dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
	library->is_tried = true;
	library->is_loaded = library->is_loaded || handle;
	for (unsigned i = 0; handle && names[i]; i++) {
		functions[i] = dlsym(handle, names[i]);
		library->is_loaded = library->is_loaded && functions[i];
	}
	if (library->is_loaded)
		return 0;
	return error_set(error, ELIBACC, "%s, which %s, is missing; install %s", library->file, library->purpose,
	                 library->package);
}

#endif
