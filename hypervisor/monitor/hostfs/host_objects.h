/* SPDX-License-Identifier: MIT */
/* Objects of the host that a guest has looked up, by handle. Each has a directory, a name there, and the stamp of its
 * first look-up. */
#ifndef HYPERVISOR_HOST_OBJECTS_H
#define HYPERVISOR_HOST_OBJECTS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/host_file.h"
#include "hostfs/tree/host_tree.h"

#define HOST_OBJECTS_MAX HOST_FILE_HANDLES_MAX
#define HOST_OBJECTS_NAME_BYTES_MAX (1U << 28)

struct host_object {
	uint32_t parent; /**< handle of the directory; a root has its own handle */
	uint32_t name;   /**< offset in host_objects.names */
	uint32_t next;   /**< next object in its bucket */
	bool is_noted;   /**< it was read, and host_notes.h has its contents' hash */
	bool is_unused;  /**< the guest has not used what it was told without asking (host_file_ahead.unused) */
	struct host_stamp stamp;
};

/** Zero-initialised: no objects. */
struct host_objects {
	struct host_object *objects;
	uint32_t count;
	size_t room;
	char *names; /**< names of all objects, each NUL-terminated; roots have empty names */
	uint32_t name_bytes;
	size_t name_room;
	uint32_t *buckets; /**< hash table by directory and name: handle + 1; 0 ends a chain */
	uint32_t bucket_count;
};

/** Adds a root. Returns its handle, which is the next free one, or -ENOMEM. */
int64_t host_objects_add_root(struct host_objects *objects, const struct host_stamp *stamp);

/**
 * Adds a name to a directory that does not have it yet. Returns its handle, which is the next free one; -ENFILE if
 * there are too many objects; or -ENOMEM.
 */
int64_t host_objects_add(struct host_objects *objects, uint32_t parent, const char *name,
                         const struct host_stamp *stamp);

/** Forgets the most recent objects until `count` are left. */
void host_objects_truncate(struct host_objects *objects, uint32_t count);

/** Whether a name in a directory is known; if so, sets *handle. */
bool host_objects_find(const struct host_objects *objects, uint32_t parent, const char *name, uint32_t *handle);

/** Whether all names of a path below an object are known; if so, sets *handle to the last one, or to `from` if `path`
 * is empty. */
bool host_objects_follow(const struct host_objects *objects, uint32_t from, const char *path, uint32_t *handle);

/**
 * Writes the path, below its root, of `name` in a directory, or of the object itself if `name` is empty. Returns the
 * root's handle, or -ENAMETOOLONG.
 */
int64_t host_objects_path(const struct host_objects *objects, uint32_t handle, const char *name, char path[PATH_MAX]);

/** Returns the handle of an object's root. */
uint32_t host_objects_root(const struct host_objects *objects, uint32_t handle);

/** Frees all objects. */
void host_objects_fini(struct host_objects *objects);

#endif
