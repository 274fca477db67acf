/* SPDX-License-Identifier: MIT */
/* The images that a command line of `eremite verify` names: files, and directories of files. */
#ifndef HYPERVISOR_VERIFY_IMAGES_H
#define HYPERVISOR_VERIFY_IMAGES_H

#include "base/digest.h"

/** Images in the order in which they are reported. */
struct verify_images {
	char **names; /**< paths */
	unsigned count, room;
};

/** Finds the images that `names` name. A directory stands for its entries *.eri, in byte order. Ends eremite if a
 * directory cannot be read, or has no image. */
void verify_images_find(struct verify_images *images, char *const *names, unsigned count);

/** Writes the SHA-256 of all names in digits: shards of the same images have the same one. */
void verify_images_hash(const struct verify_images *images, char hex[2 * DIGEST_BYTES + 1]);

/** Keeps the images of one shard: every shards-th one, from the one of that number on. */
void verify_images_cut(struct verify_images *images, unsigned shards, unsigned shard);

#endif
