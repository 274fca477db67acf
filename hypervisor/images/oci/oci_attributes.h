/* SPDX-License-Identifier: MIT */
/* Owners, modes and times of an image's objects, by their paths. Without root's rights a directory of the host cannot
 * have them. Paths whose hashes (XXH3-128) collide harm only their own image. */
#ifndef HYPERVISOR_OCI_ATTRIBUTES_H
#define HYPERVISOR_OCI_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oci_attribute {
	uint64_t low, high; /**< hash of the path; both 0: free */
	int64_t seconds;    /**< modification time, since 1970 */
	uint32_t nanoseconds;
	uint32_t mode; /**< permissions, set-user-ID and the like */
	uint32_t user, group;
};

/** A hash table with linear probing. All zero: an empty one. */
struct oci_attributes {
	struct oci_attribute *table;
	size_t count;
	size_t room; /**< a power of 2, or 0 */
};

/** Sets those of a path without a leading slash, "" for the root. Returns false without memory. */
bool oci_attributes_put(struct oci_attributes *attributes, const char *path, struct oci_attribute attribute);

/** Returns those of a path until the next put, or NULL. */
const struct oci_attribute *oci_attributes_get(const struct oci_attributes *attributes, const char *path);

/** Releases the table. */
void oci_attributes_fini(struct oci_attributes *attributes);

#endif
