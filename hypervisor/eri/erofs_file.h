/* SPDX-License-Identifier: MIT */
/* EROFS images (Linux: Documentation/filesystems/erofs.rst), read by the monitor in a mapping.
 *
 * A stranger may have made the image: each field is checked before it is used, and an invalid one is -EUCLEAN. Images
 * of mkfs.erofs with blocks of 4 KiB can be read, except those with chunks, extra devices, or newer ways to compress.
 */
#ifndef HYPERVISOR_EROFS_FILE_H
#define HYPERVISOR_EROFS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define EROFS_FILE_BLOCK 4096UL

/** An image. */
struct erofs_file {
	const uint8_t *data; /**< owned by the caller */
	uint64_t bytes;
	uint64_t meta;     /**< offset of the object with nid 0 */
	uint64_t root;     /**< nid of the root directory */
	uint64_t built_s;  /**< modification time of objects without one of their own */
	uint32_t built_ns; /**< its nanoseconds */
	bool compressed;   /**< some file may be compressed: mkfs.erofs 1.5 to 1.7 say so by `padded`, 1.8 by the window
	                      of LZ4 */
	bool padded;       /**< zeros are before compressed data in its block, not behind it */
};

/** How the contents of an object are stored. */
enum erofs_file_layout {
	EROFS_FILE_PLAIN = 0,      /**< in one piece */
	EROFS_FILE_COMPRESSED = 1, /**< in blocks of compressed data */
	EROFS_FILE_INLINE = 2,     /**< all blocks but the last in one piece; the last, partial one behind the inode */
};

/** One object: a file, directory, symbolic link, device, FIFO or socket. */
struct erofs_node {
	uint64_t nid;
	uint64_t size;     /**< of a symbolic link's target, too, which has 1 to 4095 bytes; 0 for devices */
	uint64_t mtime_s;  /**< seconds since 1970; before 1970 in two's complement */
	uint32_t mtime_ns; /**< below 1000000000 */
	uint32_t mode;     /**< with a valid file type */
	uint32_t nlink;
	uint32_t uid;
	uint32_t gid;
	uint32_t device; /**< number of a device, as Linux's new_encode_dev stores it */
	unsigned layout; /**< enum erofs_file_layout */
	uint64_t at;     /**< where plain data, or all but the last block of inline data, begins in the image */
	uint64_t tail;   /**< where the last block of inline data, or the index of compressed data, begins */
};

/**
 * Opens an image of `bytes` bytes at `data`, which the caller keeps mapped. Needs the same time for every size. Returns
 * 0, or a negative errno with *error set to the reason, a clause that follows "FILE cannot be read: ".
 */
int erofs_file_open(struct erofs_file *file, const uint8_t *data, uint64_t bytes, struct error *error);

/** The only way to the image: returns its bytes [offset, offset + bytes), or NULL when they are not all inside. */
static inline const uint8_t *erofs_file_bytes(const struct erofs_file *file, uint64_t offset, uint64_t bytes)
{
	return offset > file->bytes || bytes > file->bytes - offset ? NULL : file->data + offset;
}

/** Bytes of plain or inline contents that are at `node->at`; the others are at `node->tail`. */
uint64_t erofs_file_bytes_before_tail(const struct erofs_node *node);

/** Reads an object. Returns 0, -EUCLEAN, or -EOPNOTSUPP for contents that are stored in a way that cannot be read. */
int erofs_file_node(const struct erofs_file *file, uint64_t nid, struct erofs_node *node);

/**
 * Finds the object with a path without a leading slash; "" is the root. Follows no symbolic links. Empty names, "." and
 * ".." do not exist. Returns 0, -ENOENT, -ENOTDIR, or an error of erofs_file_node.
 */
int erofs_file_find(const struct erofs_file *file, const char *path, struct erofs_node *node);

/**
 * Copies `bytes` bytes of contents at `offset`. Returns 0; -EINVAL if they are not all within the size; -EUCLEAN; and
 * for compressed contents -ENOMEM, or -ELIBACC unless the caller has called lz4_load. Compressed contents cost the work
 * for up to 1 MiB before `offset`, so read large pieces.
 */
int erofs_file_read(const struct erofs_file *file, const struct erofs_node *node, void *to, uint64_t bytes,
                    uint64_t offset);

/**
 * Returns all `node->size` bytes of the contents, in the image, if they are plain or empty; else, and for objects
 * without contents, NULL.
 */
const uint8_t *erofs_file_at(const struct erofs_file *file, const struct erofs_node *node);

/**
 * Calls each() for each name in a directory but "." and "..", in ascending order of bytes. A name has `length` bytes, 1
 * to 255, without NUL and slash, no NUL behind it, and is a copy that is valid until each() returns; `type` is DT_*, as
 * the directory has it. Returns 0, the first result of each() other than 0, -ENOTDIR, or -EUCLEAN, also if names are
 * not in order.
 */
int erofs_file_list(const struct erofs_file *file, const struct erofs_node *dir,
                    int (*each)(void *context, const char *name, size_t length, uint64_t nid, unsigned type),
                    void *context);

#endif
