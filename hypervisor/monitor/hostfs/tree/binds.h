/* SPDX-License-Identifier: MIT */
/* --bind: which of the host's files the guest sees, and where. */
#ifndef HYPERVISOR_BINDS_H
#define HYPERVISOR_BINDS_H

#include <stdbool.h>

#include "base/error.h"
#include "hostfs/host_files.h"
#include "hostfs/tree/host_part.h"

/** Trees that are shown without --bind: the whole host, and the part of its /tmp that the command line names. */
#define BINDS_FIRST 2
#define BINDS_MAX (BOOT_HOST_ROOTS_MAX - BINDS_FIRST)

/** The directory that abi/own_paths.h leaves open: the guest sees the parts of it that the command line names. */
#define BINDS_TMP "/tmp"

/** Zero-initialised: no trees. */
struct binds {
	struct host_tree trees[BOOT_HOST_ROOTS_MAX]; /**< the trees of --bind begin at BINDS_FIRST */
	unsigned count;                              /**< trees of --bind */
	bool replaces[BOOT_HOST_ROOTS_MAX];          /**< the tree takes the place of a sealed path */
	struct host_part tmp;                        /**< the part of the host's /tmp that is shown without --bind */
};

/**
 * Adds HOST:GUEST[:ro]. Returns 0, or a negative errno with one line in *error. Its allocations live as long as the
 * process.
 */
int binds_add(struct binds *binds, const char *text, struct error *error);

/**
 * Adds GUEST=HOST, for a path that a sealed image has. Returns and allocates as binds_add.
 */
int binds_replace(struct binds *binds, const char *text, struct error *error);

/** Whether a tree takes the place of a sealed path. */
bool binds_replace_any(const struct binds *binds);

/**
 * Opens all trees. With `whole`, the host's / comes first, then the files of binds->tmp at /tmp. Returns 0, or a
 * negative errno with one line in *error.
 */
int binds_open(struct binds *binds, bool whole, struct host_files *files, struct error *error);

/**
 * The default working directory of a program that sees the whole host: the current directory, or NULL if that is in a
 * place which the guest replaces with its own.
 */
const char *binds_current_directory(void);

/**
 * Whether a guest path does not lead to the same path of the host: it is in a tree of --bind, or in a place which the
 * guest replaces with its own.
 */
bool binds_hide(const struct binds *binds, const char *path);

/** Returns the `closed` directory of abi/own_paths.h (/proc, /sys, /dev, /out) that is the path or contains it, or
 * NULL. */
const char *binds_own(const char *path);

/** Whether a path is absolute and has no empty component, no . and no .. in it. */
bool binds_is_guest_path(const char *path);

#endif
