/* SPDX-License-Identifier: MIT */
/* The host's directory that --save names: opened before the monitor is confined, and the one way into it. */
#ifndef HYPERVISOR_SAVE_DIR_H
#define HYPERVISOR_SAVE_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "hostfs/host_files.h"

#define SAVE_TARGET_BYTES 4096 /* of a symbolic link, with the NUL */

struct save_dir {
	char *real; /**< the path without links */
	int fd;     /**< O_PATH */
	int spool;  /**< a file without a name, for contents until all is known; for reading and writing */
};

/** Whether a directory may be saved to: 0, or a negative errno with one line in error[]. */
int save_dir_open(struct save_dir *dir, const char *path, char error[256]);

/** Whether programs see it, or a part of it, among the files that are shown. */
bool save_dir_is_shown(const struct save_dir *dir, const struct host_files *files);

/** Closes it; takes one that was never opened, with real NULL. */
void save_dir_close(struct save_dir *dir);

/** Whether a path without links is below the directory; *below is where in `path` that part begins. */
bool save_dir_has(const struct save_dir *dir, const char *path, size_t *below);

/**
 * Opens the directory that an object is in, by its path below: no link is followed and no other file system entered.
 * *leaf is its name there. A descriptor with O_PATH, or a negative errno.
 */
int save_dir_open_parent(const struct save_dir *dir, const char *path, const char **leaf);

#endif
