/* SPDX-License-Identifier: MIT */
/* The package database of Debian's dpkg, read as files: its lists of files once, and no process for each file. */
#ifndef HYPERVISOR_DPKG_H
#define HYPERVISOR_DPKG_H

#include <stddef.h>
#include <stdint.h>

/** A file whose package is wanted. */
struct dpkg_file {
	const char *path; /**< on the host, without symbolic links */
	int64_t package;  /**< index in the packages; -1: it is of none */
};

/** Names of a package as its list of files has them. Strings are owned. */
struct dpkg_package {
	char *name, *architecture; /**< of the list's name; an empty architecture: it does not say */
	char *version;             /**< empty: unknown */
};

/** Zero-initialised: none. Sorted by name and architecture. */
struct dpkg {
	struct dpkg_package *all;
	size_t count, room;
};

/**
 * Finds the packages of `count` files in the database at DPKG_ADMINDIR (dpkg(1)), or else /var/lib/dpkg. Only packages
 * with one of the files are kept. A host without such a database has none. Bytecode of Python is of the package of its
 * source. Returns 0 or -ENOMEM.
 */
int dpkg_find(struct dpkg *dpkg, struct dpkg_file *files, size_t count);

/** Frees everything. */
void dpkg_fini(struct dpkg *dpkg);

#endif
