/* SPDX-License-Identifier: MIT */
/* Contents of regular files: in frames and blocks; a page without either has the backing's data (EROFS) or zeros.
 *
 * A frame made by a write covers the backing's page for good, so copy-up is page by page. Allocated memory at and
 * beyond the file's size is always zero. */
#ifndef KERNEL_VFS_DATA_H
#define KERNEL_VFS_DATA_H

#include "kernel/mm/vm.h"
#include "kernel/vfs/inode.h"

#define DATA_SIZE_MAX INT64_MAX

/** Initialises the contents of a new inode as empty. */
void data_init(struct inode *inode);

/** Frees all memory. */
void data_free(struct inode *inode);

/** Finds the byte at offset, which may be beyond the file's size. *bytes is reduced to what is contiguous there; *data
 * is NULL for zeros. Returns 0 or a negative errno of the backing. */
int data_map(struct inode *inode, uint64_t offset, const void **data, size_t *bytes);

/** The place of contents, for data_find. */
struct data_place {
	const void *memory; /**< NULL: in the backing, or zeros */
	bool of_backing;    /**< at the same offset */
};

/** data_map without asking the backing. */
void data_find(const struct inode *inode, uint64_t offset, struct data_place *place, size_t *bytes);

/** Reads into the program's or the kernel's memory. Returns the bytes read, 0 at the end, or a negative errno. */
long data_read(struct inode *inode, void *to, size_t bytes, uint64_t offset);

/** Writes, growing the file. Returns the bytes written; if nothing was written, -ENOSPC, -EFBIG or -EFAULT. */
long data_write(struct inode *inode, const void *from, size_t bytes, uint64_t offset);

/** Sets the size. Returns 0 or a negative errno. */
int data_truncate(struct inode *inode, uint64_t size);

/** Allocates memory for a range, which may be beyond the size. Returns 0, -ENOSPC or another negative errno. */
int data_reserve(struct inode *inode, uint64_t offset, uint64_t bytes);

/** The three functions above without the limit on file sizes that a personality may add
 * (kernel/personality.h): for files that belong to no program, or after the limit was checked. */
long data_write_unlimited(struct inode *inode, const void *from, size_t bytes, uint64_t offset);
int data_truncate_unlimited(struct inode *inode, uint64_t size);
int data_reserve_unlimited(struct inode *inode, uint64_t offset, uint64_t bytes);

/** Makes a range read as zeros, and frees the frames that it covers entirely. Returns 0 or a negative errno. */
int data_punch(struct inode *inode, uint64_t offset, uint64_t bytes);

/** The next data (hole is false) or hole at or after offset; -ENXIO at or beyond the size. SEEK_DATA, SEEK_HOLE. */
int64_t data_seek(struct inode *inode, uint64_t offset, bool hole);

/** The guest-physical address of a page of the file, for mmap; *own says whether the file may be written to there. It
 * is a page of the backing only if it is not for writing (VM_STORE) and the backing has an aligned one. Returns 0,
 * -EAGAIN when VM_PEEK would have to allocate, -ENOMEM or another negative errno of the backing. While
 * inode->data.mappings is not 0, vm_zap is called before the address changes. */
int data_page(struct inode *inode, uint64_t page, enum vm_access access, uint64_t *physical, bool *own);

/** The guest-physical address of 2 MiB of the backing from a page on, if it has them in one aligned piece outside RAM,
 * where nothing changes them; otherwise 0. The address stays valid as that of data_page does. */
uint64_t data_block(struct inode *inode, uint64_t page);

#endif
