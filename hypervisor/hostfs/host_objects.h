/* SPDX-License-Identifier: MIT */
/* Objects of the host that a guest has looked at, by handle; each is a name in a directory, and what it was. */
#ifndef HYPERVISOR_HOST_OBJECTS_H
#define HYPERVISOR_HOST_OBJECTS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hostfs/host_tree.h"

#define HOST_OBJECTS_MAX (1U << 22)
#define HOST_OBJECTS_NAME_BYTES_MAX (1U << 28)

struct host_object {
	uint32_t parent; /**< handle; of a root its own */
	uint32_t name;   /**< offset in host_objects.names */
	uint32_t next;   /**< in its bucket */
	bool is_noted;   /**< it was read, and host_notes.h has what it was */
	struct host_stamp stamp;
};

/** Zero-initialised: none. */
struct host_objects {
	struct host_object *objects;
	uint32_t count, room;
	char *names; /**< of all objects, each ended by a NUL; roots have empty ones */
	uint32_t name_bytes, name_room;
	uint32_t *buckets; /**< objects by directory and name: a handle and 1; 0 is the end of a chain */
	uint32_t bucket_count;
};

/** A root: the next handle. -ENOMEM, or the handle. */
int64_t host_objects_add_root(struct host_objects *objects, const struct host_stamp *stamp);

/** A name in a directory that has none like it: the next handle, -ENFILE when there are too many, or -ENOMEM. */
int64_t host_objects_add(struct host_objects *objects, uint32_t parent, const char *name,
                         const struct host_stamp *stamp);

/** Forgets those that came last, until so many are left. */
void host_objects_truncate(struct host_objects *objects, uint32_t count);

/** Whether a name is known; its handle. */
bool host_objects_find(const struct host_objects *objects, uint32_t parent, const char *name, uint32_t *handle);

/**
 * The path below its root of `name` in a directory, or with an empty name of the object itself. Returns the root's
 * handle, or -ENAMETOOLONG.
 */
int64_t host_objects_path(const struct host_objects *objects, uint32_t handle, const char *name, char path[PATH_MAX]);

/** The root that an object is below. */
uint32_t host_objects_root(const struct host_objects *objects, uint32_t handle);

/** Room for twice as many things of a size, at least `needed`, in place of the old; NULL without memory. */
void *host_objects_grow(void *old, uint32_t *room, uint32_t needed, size_t bytes);

/** Forgets all. */
void host_objects_fini(struct host_objects *objects);

#endif
