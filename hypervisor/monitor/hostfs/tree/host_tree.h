/* SPDX-License-Identifier: MIT */
/* A tree of the host's files that a guest may see. Its objects are opened only through these functions. */
#ifndef HYPERVISOR_HOST_TREE_H
#define HYPERVISOR_HOST_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"
#include "hostfs/tree/host_part.h"

struct host_sealed;
struct host_tree_ops;

struct host_tree {
	const char *host;  /**< a directory or a regular file, as the user named it */
	const char *guest; /**< where the guest sees it: absolute, without empty components, . or .. */
	bool read_only;    /**< read-only for the guest; the host's files are never written */
	const struct host_part
		*part; /**< the part of a directory that is shown; NULL: all of it. Owned by the caller */
	const struct host_sealed
		*sealed; /**< its objects are an image's (host_sealed.h), and `host` is NULL; NULL: the host's */
	const struct host_tree *later; /**< later_count trees behind this one, which hide what it shows at their places;
	                                  set by host_files_open */
	unsigned later_count;
	const struct host_tree_ops *ops; /**< of its kind; set by host_tree_open */
	char *real;                      /**< the path with symbolic links resolved */
	int dir;                         /**< where paths begin: the directory, or the directory of the file */
	const char *leaf;                /**< in `real`: the file's name there; NULL for a directory */
};

/** Attributes that show whether an object of the host has changed. */
struct host_stamp {
	uint64_t dev, ino, size;
	struct timespec mtime, ctime;
	uint32_t mode;
};

/** Returns the stamp of an object's current attributes. */
struct host_stamp host_stamp_of(const struct stat *st);

/**
 * Chooses tree->ops and opens the tree. Returns 0, or a negative errno with one line in *error. host_tree_close is
 * allowed but not needed after a failure.
 */
int host_tree_open(struct host_tree *tree, struct error *error);

/** Opens tree->host as host_tree_open. Refuses /proc, /sys and /dev, and hosts without openat2(2). */
int host_tree_open_live(struct host_tree *tree, struct error *error);

#define HOST_TREE_OWN ".eremite-" /* how names of eremite's own temporary files begin */

/** Whether a path has a name of eremite's own temporary files, which guests never see. */
bool host_tree_is_own(const char *path);

/**
 * From now on masks a real path as host_tree_mask, and hides the file `one` under any name: opening gives -ENOENT. An
 * empty path masks nothing.
 */
void host_tree_hide(const char *path, const struct stat *one);

#define HOST_TREE_MASKED_MAX 6U

/** From now on a real path, and everything below it, does not exist for guests: no directory lists it. At most
 * HOST_TREE_MASKED_MAX paths. */
void host_tree_mask(const char *path);

/** Whether guests see objects of a type (of a mode, or by DTTOIF): regular files, directories and symbolic links. */
bool host_tree_shows_type(uint32_t mode);

/** Whether a path below a tree is in the host's /proc, /sys or /dev. */
bool host_tree_is_state(const struct host_tree *tree, const char *path);

/** Whether a path below a directory of a tree is masked. */
bool host_tree_masks_below(const struct host_tree *tree, const char *path);

/** Whether a path below a tree is masked, or of eremite's own temporary files. */
bool host_tree_is_masked(const struct host_tree *tree, const char *path);

/** Closes the tree; accepts one that was never opened, with real NULL. */
void host_tree_close(struct host_tree *tree);

/**
 * Opens an object by its path below the tree ("" is the tree itself), with O_PATH, O_RDONLY or O_DIRECTORY in flags.
 * Follows no symbolic link in any component. Returns a descriptor and its *stamp, or a negative errno. Returns -ENOENT
 * for objects that are never shown: other than regular files, directories and symbolic links; those in /proc, /sys or
 * /dev, or in a file system of these types mounted elsewhere; and those outside the tree's part. The top directory of a
 * part has the usual mode of /tmp. A file to which the monitor writes output has its stamp from before the run
 * (host_streams.h).
 */
int host_tree_open_object(const struct host_tree *tree, const char *path, int flags, struct host_stamp *stamp);

/**
 * Takes the *stamp of an object by its `name` in an open directory, which host_tree_open_object has examined, without
 * opening the object. `path` is the object's path below the tree. Costs one system call. Returns 0, a negative errno as
 * host_tree_open_object, or -EAGAIN if the file system remains unknown: another one may be mounted there, or statx(2)
 * does not report it (Linux before 5.8). The caller then opens the object.
 */
int host_tree_stamp(const struct host_tree *tree, int dir, const char *path, const char *name,
                    struct host_stamp *stamp);

/** Returns what the host denies of a directory: HOST_FILE_UNLISTABLE, HOST_FILE_UNSEARCHABLE. It has this stamp, and is
 * `name` in the directory `fd`, or `fd` itself if the name is empty. Returns 0 for other objects. */
uint32_t host_tree_access(int fd, const char *name, const struct host_stamp *stamp);

/**
 * Opens a name for reading in an open directory of the tree, without taking its stamp: the caller compares it with one
 * that was taken. `path` is the whole path below the tree. Returns a descriptor or a negative errno.
 */
int host_tree_reopen(const struct host_tree *tree, int dir, const char *path, const char *name);

/**
 * Whether an object is unchanged. For a directory only identity and mode are compared, because its names may change.
 */
bool host_stamp_is_same(const struct host_stamp *was, const struct host_stamp *now);

/** Modification time in ns since 1970; 0 for a time after 2262, which does not fit. */
int64_t host_stamp_mtime_ns(const struct host_stamp *stamp);

/** Whether an object is unchanged; for a directory, also that no name was added or removed. */
bool host_stamp_is_untouched(const struct host_stamp *was, const struct host_stamp *now);

#endif
