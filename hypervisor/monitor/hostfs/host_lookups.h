/* SPDX-License-Identifier: MIT */
/* Predicts the requests of a program that looks at the files of a tree in the order of their paths without listing
 * directories, as `git status` looks at the files of its index. The names of its directories are read for that, and
 * the program is not shown them. Names are in byte order, those of directories as if they ended with a slash. */
#ifndef HYPERVISOR_HOST_LOOKUPS_H
#define HYPERVISOR_HOST_LOOKUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hostfs/host_files.h"

#define HOST_LOOKUPS_LISTS 8 /* directories whose names are kept: as deep as most trees are */

/** The names of a directory. */
struct host_lookups_list {
	uint32_t root;
	char *path;      /**< of the directory below its root; NULL: unused */
	char *text;      /**< names, each with a NUL; those of directories end with a slash */
	uint32_t *names; /**< their offsets, sorted */
	size_t text_room, name_room;
	uint32_t count;
	uint32_t at;   /**< of the name that was found last */
	uint64_t used; /**< host_lookups.uses at the last use */
};

/** Zero-initialised: no request was seen. */
struct host_lookups {
	struct host_lookups_list lists[HOST_LOOKUPS_LISTS];
	uint64_t uses;
	uint32_t at;        /**< handle of the object that the last request found; 0: none, as a root is no name */
	uint32_t top;       /**< handle of the directory that all these objects are below */
	unsigned right;     /**< requests in a row that were in order, or as predicted */
	bool looks_at_dirs; /**< a directory is looked up before the names in it */
	unsigned left;      /**< directories that may still be read for one prediction */
};

/** A predicted HOST_FILE_LOOK. */
struct host_lookups_step {
	uint32_t handle;
	char name[sizeof(((struct host_file_request *)0)->name)];
};

/** Predicts the request after one that found the object `at`. Returns false at the end of the tree, or without memory.
 */
bool host_lookups_next(struct host_lookups *lookups, const struct host_files *files, uint32_t at,
                       struct host_lookups_step *step);

/** Finds the object of a request that was served. Returns false if there is no such object. */
bool host_lookups_find(const struct host_files *files, const struct host_lookups_step *step, uint32_t *handle);

/** Whether predictions were right often enough for answers to be prepared. */
bool host_lookups_is_likely(const struct host_lookups *lookups);

/** Moves the position behind a request of the guest that was served. Counts requests in order until predictions are
 * likely, and then those that were predicted. Returns whether this one was. */
bool host_lookups_follow(struct host_lookups *lookups, const struct host_files *files,
                         const struct host_lookups_step *step, bool is_predicted);

/** Notes a request that is no look-up: nothing is predicted until look-ups have been in order again for some time. */
void host_lookups_stop(struct host_lookups *lookups);

/** Moves the position behind a prepared answer that found the object `at`. */
void host_lookups_take(struct host_lookups *lookups, uint32_t at);

/** Forgets the position, and frees the names. */
void host_lookups_fini(struct host_lookups *lookups);

#endif
