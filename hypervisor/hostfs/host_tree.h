/* SPDX-License-Identifier: MIT */
/* A tree of the host's files that a guest may see, and the one way to open what is in it. */
#ifndef HYPERVISOR_HOST_TREE_H
#define HYPERVISOR_HOST_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "hostfs/host_part.h"

struct host_tree {
	const char *host;             /**< a directory or a regular file, as the user named it */
	const char *guest;            /**< where the guest sees it: absolute, without empty components, . or .. */
	bool read_only;               /**< for the guest; the host's files are never written to */
	const struct host_part *part; /**< of a directory: what is shown of it; NULL: all of it. The caller's */
	char *real;                   /**< the path without links */
	int dir;                      /**< where paths begin: the directory, or the one that the file is in */
	const char *leaf;             /**< in `real`: the file's name there; NULL for a directory */
};

/** What shows that an object of the host is no longer what it was. */
struct host_stamp {
	uint64_t dev, ino, size;
	struct timespec mtime, ctime;
	uint32_t mode;
};

/** The stamp of an object as it is now. */
struct host_stamp host_stamp_of(const struct stat *st);

/**
 * Opens tree->host. 0, or a negative errno with one line in error[]: /proc, /sys and /dev are refused, and hosts
 * without openat2(2). host_tree_close is allowed, not needed, after a failure.
 */
int host_tree_open(struct host_tree *tree, char error[256]);

/**
 * From now on nothing at or below a real path is shown, nor a file that is `one`, by any name: -ENOENT. An empty path
 * is none.
 */
void host_tree_hide(const char *path, const struct stat *one);

/** Closes it; takes one that was never opened, with real NULL. */
void host_tree_close(struct host_tree *tree);

/**
 * Opens an object by its path below the tree ("" is the tree itself), following no link in any component, with O_PATH,
 * O_RDONLY or O_DIRECTORY in flags. A descriptor, and what it is in *stamp; or a negative errno: -ENOENT for what is
 * never shown, which is all but regular files, directories and links, what lies in /proc, /sys or /dev, or in a
 * file system like those, wherever it is mounted, and what is not in the tree's part. The directory of such a part has
 * the access of any /tmp. A file that the monitor writes output to is as it was
 * (host_streams.h).
 */
int host_tree_open_object(const struct host_tree *tree, const char *path, int flags, struct host_stamp *stamp);

/** Whether an object is still what it was. Of a directory only identity and mode count: names come and go. */
bool host_stamp_is_same(const struct host_stamp *was, const struct host_stamp *now);

/** When it was changed, in nanoseconds since 1970; 0 of a time that these cannot tell, behind the year 2262. */
int64_t host_stamp_mtime_ns(const struct host_stamp *stamp);

/** Whether nothing was added to a directory or taken away in between. */
bool host_stamp_is_untouched(const struct host_stamp *was, const struct host_stamp *now);

#endif
