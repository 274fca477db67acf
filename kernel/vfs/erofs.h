/* SPDX-License-Identifier: MIT */
/* EROFS images (Linux: Documentation/filesystems/erofs.rst), read in place in memory.
 *
 * The image is untrusted: every field is checked before it is used, and an invalid one is -EUCLEAN. Supports images
 * that mkfs.erofs makes without compression, with blocks of 4 KiB. */
#ifndef KERNEL_VFS_EROFS_H
#define KERNEL_VFS_EROFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EROFS_BLOCK 4096UL
#define EROFS_NID_BYTES 32UL /* an object's number counts slots of this size */

/** A mounted image. */
struct erofs {
	const uint8_t *image;
	uint64_t bytes;
	uint64_t meta; /**< offset of slot 0 */
	uint64_t root_nid;
	int64_t build_ns; /**< modification time of objects without one of their own */
};

/** One object. */
struct erofs_inode {
	uint64_t nid;
	uint64_t size;
	int64_t mtime_ns;
	uint32_t mode; /**< with a valid file type */
	uint32_t nlink;
	uint32_t uid;
	uint32_t gid;
	uint32_t rdev;       /**< devices, in the encoding of Linux's new_encode_dev */
	uint8_t layout;      /**< layout of the contents, see erofs.c */
	uint8_t chunk_bits;  /**< chunked: log2 of the size of a chunk */
	uint8_t entry_bytes; /**< chunked: size of a table entry, 4 or 8 */
	uint64_t blocks;     /**< offset of the contents' first block */
	uint64_t tail;       /**< offset of the data after the inode: the last, partial block, or the table of chunks */
};

/** One name in a directory. */
struct erofs_entry {
	uint64_t nid;
	const char *name; /**< in the image, no NUL, no slash */
	size_t length;    /**< 1 to 255 */
	uint8_t type;     /**< LINUX_DT_* */
};

/** Opens an image. Returns 0, or a negative errno with *error set to the reason. Takes the same time for all sizes. */
int erofs_mount(struct erofs *fs, const void *image, uint64_t bytes, const char **error);

/** Reads an object. Returns 0, -EUCLEAN, or -EOPNOTSUPP for a file with compressed contents. */
int erofs_read_inode(const struct erofs *fs, uint64_t nid, struct erofs_inode *inode);

/** Finds the contents at offset (below the size). *bytes is reduced to what is contiguous there; *data is NULL for
 * zeros. Returns 0 or -EUCLEAN. */
int erofs_map(const struct erofs *fs, const struct erofs_inode *inode, uint64_t offset, const void **data,
              size_t *bytes);

/** Finds a name in a directory. Returns 1 when it exists, 0 when not, or -EUCLEAN. */
int erofs_lookup(const struct erofs *fs, const struct erofs_inode *dir, const char *name, size_t length,
                 struct erofs_entry *entry);

/** Gets the next name of a directory, without "." and "..". *cursor is 0 at the start. Returns 1, 0 at the end, or
 * -EUCLEAN. */
int erofs_next(const struct erofs *fs, const struct erofs_inode *dir, uint64_t *cursor, struct erofs_entry *entry);

#endif
