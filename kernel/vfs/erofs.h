/* SPDX-License-Identifier: MIT */
/* EROFS images (Linux: Documentation/filesystems/erofs.rst), read where they lie in memory.
 *
 * The image is untrusted: everything it says is checked before it is used, and what does not hold is -EUCLEAN.
 * Knows what mkfs.erofs makes without compression, at blocks of 4 KiB. */
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
	int64_t build_ns; /**< modification time of objects that have none of their own */
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
	uint32_t rdev;       /**< devices, as Linux's new_encode_dev has it */
	uint8_t layout;      /**< how the contents are laid out, see erofs.c */
	uint8_t chunk_bits;  /**< chunked: of a chunk's size */
	uint8_t entry_bytes; /**< chunked: of an entry of the table, 4 or 8 */
	uint64_t blocks;     /**< offset of the contents' first block */
	uint64_t tail;       /**< offset of what follows the inode: the last, partial block, or the table of chunks */
};

/** One name in a directory. */
struct erofs_entry {
	uint64_t nid;
	const char *name; /**< in the image, no NUL, no slash */
	size_t length;    /**< 1 to 255 */
	uint8_t type;     /**< LINUX_DT_* */
};

/** Opens an image. 0, or a negative errno with *error saying what is wrong; takes the same time for all sizes. */
int erofs_mount(struct erofs *fs, const void *image, uint64_t bytes, const char **error);

/** Reads an object. 0, -EUCLEAN, or -EOPNOTSUPP for the compressed contents of a file. */
int erofs_read_inode(const struct erofs *fs, uint64_t nid, struct erofs_inode *inode);

/**
 * Where the contents at offset (below the size) lie; *bytes is cut to what lies there in one piece, *data is NULL
 * for zeros. 0 or -EUCLEAN.
 */
int erofs_map(const struct erofs *fs, const struct erofs_inode *inode, uint64_t offset, const void **data,
              size_t *bytes);

/** Finds a name in a directory: 1 when it is there, 0, or -EUCLEAN. */
int erofs_lookup(const struct erofs *fs, const struct erofs_inode *dir, const char *name, size_t length,
                 struct erofs_entry *entry);

/**
 * The next name of a directory, "." and ".." left out. *cursor is 0 at the start. 1, 0 at the end, or -EUCLEAN.
 */
int erofs_next(const struct erofs *fs, const struct erofs_inode *dir, uint64_t *cursor, struct erofs_entry *entry);

#endif
