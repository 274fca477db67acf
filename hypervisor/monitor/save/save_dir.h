/* SPDX-License-Identifier: MIT */
/* The host directory that --save names. The monitor opens it before it is confined, and reaches its contents only
 * through these functions. */
#ifndef HYPERVISOR_SAVE_DIR_H
#define HYPERVISOR_SAVE_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "hostfs/host_files.h"

#define SAVE_TARGET_BYTES 4096 /* of a symbolic link, with the NUL */

struct save_dir {
	char *real; /**< the path with symbolic links resolved */
	int fd;     /**< O_PATH */
	int spool;  /**< an unnamed file for contents until all changes are known; open for reading and writing */
};

/**
 * Opens a directory, and checks that changes may be saved to it. Returns 0, or a negative errno with one line in
 * *error.
 */
int save_dir_open(struct save_dir *dir, const char *path, struct error *error);

/** Whether the files that are shown to programs include it, or a part of it. */
bool save_dir_is_shown(const struct save_dir *dir, const struct host_files *files);

/** Closes it; accepts a directory that was never opened, with real NULL. */
void save_dir_close(struct save_dir *dir);

/** Whether a path without symbolic links is below the directory; sets *below to where that part begins in `path`. */
bool save_dir_has(const struct save_dir *dir, const char *path, size_t *below);

/**
 * Opens the parent directory of an object, by its path below the directory of --save. Follows no symbolic link and
 * enters no other file system. Sets *leaf to the object's name in its parent. Returns an O_PATH descriptor or a
 * negative errno.
 */
int save_dir_open_parent(const struct save_dir *dir, const char *path, const char **leaf);

#endif
