/* SPDX-License-Identifier: MIT */
/* Compressed files of EROFS images, as `mkfs.erofs -zlz4hc -Elegacy-compress` makes them: an index with 8 bytes for
 * each 4 KiB of the contents says in which block of 4 KiB their compressed data are. */
#ifndef HYPERVISOR_EROFS_COMPRESSED_H
#define HYPERVISOR_EROFS_COMPRESSED_H

#include "eri/erofs_file.h"

/** Sets node->tail, which is the end of the inode, to the index. Returns 0, or -EUCLEAN if it is not in the image. */
int erofs_compressed_node(const struct erofs_file *file, struct erofs_node *node);

/** Implements erofs_file_read for compressed files. The contents are within the size. */
int erofs_compressed_read(const struct erofs_file *file, const struct erofs_node *node, uint8_t *to, uint64_t bytes,
                          uint64_t offset);

/** The offset behind the index of an object. */
uint64_t erofs_compressed_index_end(const struct erofs_node *node);

/** Calls each() for each block with compressed data of an object; `start` is the block's offset in the image. Returns
 * 0, the first result of each() other than 0, or -EUCLEAN if the index is damaged. */
int erofs_compressed_blocks(const struct erofs_file *file, const struct erofs_node *node,
                            int (*each)(void *context, uint64_t start), void *context);

#endif
