/* SPDX-License-Identifier: MIT */
/* A set of paths, by their XXH3-128. An image whose paths collide harms only itself: an object of it stays or goes. */
#ifndef HYPERVISOR_OCI_MARKS_H
#define HYPERVISOR_OCI_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oci_mark {
	uint64_t low, high; /**< both 0: free */
};

/** A hash table with linear probing. All zero: an empty set. */
struct oci_marks {
	struct oci_mark *table;
	size_t count;
	size_t room; /**< a power of 2, or 0 */
};

/** Adds the first `bytes` bytes of a path. Returns false without memory. */
bool oci_marks_add(struct oci_marks *marks, const char *path, size_t bytes);

/** Whether a path was added. */
bool oci_marks_has(const struct oci_marks *marks, const char *path);

/** Removes all paths. */
void oci_marks_clear(struct oci_marks *marks);

/** Releases the table. */
void oci_marks_fini(struct oci_marks *marks);

#endif
