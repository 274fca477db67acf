/* SPDX-License-Identifier: MIT */
/* Which bytes of an EROFS image its objects use. The others are padding of mkfs.erofs, and have to be zero: otherwise
 * an image could carry anything behind its files that no hash covers. */
#ifndef HYPERVISOR_EROFS_SPACE_H
#define HYPERVISOR_EROFS_SPACE_H

#include "eri/erofs_file.h"

/** A part of the image, up to `end`. */
struct erofs_used {
	uint64_t start, end;
};

/** The parts that are used, of which some may overlap. */
struct erofs_space {
	struct erofs_used *parts;
	size_t count, room;
	uint8_t *seen; /**< a bit for each nid: hard links are one object */
};

/** Adds what an object uses. Returns 0, -ENOMEM, or -EUCLEAN if its index cannot be read. */
int erofs_space_add(struct erofs_space *space, const struct erofs_file *file, const struct erofs_node *node);

/**
 * Checks, after all objects were added, that the superblock and they use the whole image: it ends with the block with
 * the last byte that is used, and each byte that nothing uses is 0. Returns 0, -ENOMEM, or -EUCLEAN.
 */
int erofs_space_check(struct erofs_space *space, const struct erofs_file *file);

/** Frees it. */
void erofs_space_fini(struct erofs_space *space);

#endif
