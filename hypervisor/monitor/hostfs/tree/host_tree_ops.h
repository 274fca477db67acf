/* SPDX-License-Identifier: MIT */
/* What the kinds of trees do each in their own way: those of the live host (host_live.c) and those of an image
 * (host_sealed.c). host_tree_open chooses the kind; nothing else asks for it. */
#ifndef HYPERVISOR_HOST_TREE_OPS_H
#define HYPERVISOR_HOST_TREE_OPS_H

#include <limits.h>

#include "abi/host_file.h"
#include "base/error.h"
#include "hostfs/tree/host_tree.h"

struct host_bytecode_file;
struct host_content_time;
struct host_files;
struct host_place;
struct host_scout;
struct host_scout_walk;
struct host_source;

/** Takes a name in a directory, and the type of its object as in struct dirent. Returns 0, or the answer to the guest.
 */
typedef int64_t host_tree_name(struct host_files *files, uint32_t handle, const char *name, uint8_t type);

struct host_tree_ops {
	/** Returns a text that names what the tree is made from, as a key of what is remembered of it (host_recall.c).
	 */
	const char *(*origin)(const struct host_tree *tree);

	/** Opens the tree. Returns 0, or a negative errno with one line in *error. */
	int (*open)(struct host_tree *tree, struct error *error);

	/** Whether a path, also one that was not there, is in the part that the tree shows. */
	bool (*shows)(const struct host_tree *tree, const char *path);

	/** Returns the path on the host of an object, which the caller frees; or NULL without memory. NULL: objects are
	 * in no directory of the host. */
	char *(*host_path)(const struct host_tree *tree, const char *path);

	/** Begins a run: takes the *stamp of the tree itself. Returns 0, or a negative errno with a line in
	 * files->error.
	 */
	int (*begin)(struct host_files *files, const struct host_tree *tree, struct host_stamp *stamp);

	/**
	 * Looks up a name in a directory, or the object itself if the name is empty. `path` is the directory's path
	 * below the tree; `listed`: the directory has listed the name. Sets the attributes that the guest may know, and
	 * the target of a link. Returns the object's handle, or a negative errno.
	 */
	int64_t (*look)(struct host_files *files, uint32_t dir, const char *path, const char *name, bool listed,
	                struct host_file_attributes *attributes, char target[PATH_MAX]);

	/** Returns 0 if names may be looked up in a directory, -EACCES if not, or another negative errno. */
	int64_t (*search)(struct host_files *files, uint32_t handle);

	/** Prepares for look-ups of names in a directory, which must be what it was. Returns 0 or a negative errno.
	 * NULL: nothing is to be prepared. */
	int (*enter)(struct host_files *files, uint32_t handle, const char *path);

	/** Prepares to list a directory, which must be what it was, and takes its *stamp. Returns 0 or the answer.
	 * NULL: nothing is to be prepared, and the stamp is that of its look-up. */
	int64_t (*list_open)(struct host_files *files, uint32_t handle, const char *path, struct host_stamp *stamp);

	/** Gives each name of a directory that the guest sees, in any order. Returns 0, or the first other answer. */
	int64_t (*list)(struct host_files *files, uint32_t handle, host_tree_name *each);

	/** Opens the contents of a regular file, which must be unchanged, in a source whose fd is -1 and which is zero
	 * else. Takes the *stamp, unless that cannot have changed. Returns 0 or a negative errno. */
	int (*open_contents)(struct host_files *files, uint32_t handle, struct host_source *source,
	                     struct host_stamp *stamp);

	/** Stops the run: with --strict-files, the program asked for an object, or a name in it, that was denied. */
	int64_t (*stop_at_denial)(struct host_files *files, uint32_t handle, const char *name);

	/** Finds the bytecode of a source. The caller frees file->name. Returns 1 if there is one, 0 if there is none,
	 * or a negative errno. */
	int (*find_bytecode)(struct host_files *files, uint32_t source, struct host_bytecode_file *file);

	/** Finds the time of a source by its contents, as host_content_time_read. NULL: its stamp has the time that the
	 * guest sees. */
	int (*content_time)(struct host_files *files, uint32_t source, struct host_content_time *time);

	/** Opens a file for reading, as host_place_reopen. NULL: only open_contents does. */
	int (*reopen)(const struct host_place *place, const struct host_tree *tree, const char *path);

	/** Lets the scout read ahead of a walk (host_scout.h). NULL: to look ahead of requests gains nothing. */
	void (*read_ahead)(struct host_scout *scout, const struct host_scout_walk *walk);

	/** Takes the *stamp that an object has now, as host_place_stamp. NULL: objects cannot change during a run. */
	int (*stamp)(struct host_place *place, const struct host_tree *tree, const char *path,
	             struct host_stamp *stamp);
};

/** A tree of the live host: a directory or a file of --bind, the whole host, or the part of its /tmp. */
extern const struct host_tree_ops host_live_ops;

/** A tree of an image. */
extern const struct host_tree_ops host_sealed_ops;

#endif
