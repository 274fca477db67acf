/* SPDX-License-Identifier: MIT */
/* A SHA-256 over all that a directory tree shows to a guest. */
#ifndef HYPERVISOR_TREE_KEY_H
#define HYPERVISOR_TREE_KEY_H

#include <stdint.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "base/error.h"
#include "root/stat_index.h"

#define TREE_KEY_DEPTH_MAX 200

/**
 * Hashes names, types, permission bits, hard links, link targets and contents, in the order of the names; not times,
 * owners, extended attributes or inode numbers. `path` is for messages. Does not read files whose hashes the index has.
 * Returns 0, or a negative errno with one line for the user in *error.
 */
int tree_key(int dir, const char *path, struct stat_index *index, uint8_t key[DIGEST_BYTES], struct error *error);

/**
 * Hashes one open file. Its attributes must still be *st after it was read. Returns 0, or a negative errno with one
 * line for the user in *error.
 */
int tree_key_file(int fd, const struct stat *st, const char *path, uint8_t hash[DIGEST_BYTES], struct error *error);

#endif
