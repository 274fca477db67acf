/* SPDX-License-Identifier: MIT */
/* Directories and small files of the host as they were read ahead of requests (host_scout.h): the results of system
 * calls, of which nothing is known to the guest. */
#ifndef HYPERVISOR_HOST_SCOUT_READ_H
#define HYPERVISOR_HOST_SCOUT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "hostfs/tree/host_tree.h"

/** Which names of a directory are looked up. */
enum host_scout_looks { HOST_SCOUT_NO_NAMES, HOST_SCOUT_DIRECTORIES, HOST_SCOUT_ALL_NAMES };

/** A name of a directory. */
struct host_scout_name {
	uint32_t text;           /**< offset in host_scout_item.text */
	uint8_t type;            /**< DT_REG, ..., as getdents64(2) has it */
	bool is_stamped;         /**< it was looked up, and the fields below are set */
	uint8_t flags;           /**< host_tree_access */
	uint32_t target;         /**< of a link: offset of its target in host_scout_item.text; 0: none */
	int result;              /**< of host_tree_stamp */
	struct host_stamp stamp; /**< if that is 0 */
};

/** A directory or a file that was read. */
struct host_scout_item {
	struct host_scout_item *next;
	unsigned references; /**< atomic */
	const struct host_tree *tree;
	uint64_t read_ns;              /**< when reading began */
	struct host_stamp stamp;       /**< of the open object; of a file: after it was read */
	struct host_scout_name *names; /**< of a directory: `count` names in byte order, without . and .. */
	uint32_t count;
	size_t bytes;               /**< of memory, about */
	char *text;                 /**< of a directory: its names and targets of links, each with a NUL */
	uint8_t *data;              /**< of a file: its stamp.size bytes */
	uint8_t hash[DIGEST_BYTES]; /**< of a file: their SHA-256, if it was wanted */
	char path[];                /**< below the tree */
};

/** Reads a directory, and looks up names in it. Returns it and its descriptor, which the caller closes, or NULL. Items
 * have no descriptors, because there are many. */
struct host_scout_item *host_scout_read_directory(const struct host_tree *tree, const char *path,
                                                  enum host_scout_looks looks, int *fd);

/** Reads a regular file of `bytes` bytes by its name in the open directory `dir`, or, if that is -1, by its path below
 * the tree. Returns NULL if that fails, or if the file has another size. */
struct host_scout_item *host_scout_read_file(const struct host_tree *tree, int dir, const char *path, uint64_t bytes,
                                             bool hashes);

/** Whether reading an item began more than `life_ns` ago. */
bool host_scout_is_old(const struct host_scout_item *item, uint64_t life_ns);

/** Returns the index of a name in a directory, or `count` if the directory lacks it. Looks at index `from` first. */
uint32_t host_scout_find_name(const struct host_scout_item *directory, const char *name, uint32_t from);

/** Gives back a reference to an item, and closes and frees it with the last one; accepts NULL. */
void host_scout_put(struct host_scout_item *item);

#endif
