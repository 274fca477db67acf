/* SPDX-License-Identifier: MIT */
/* Contents of regular files: frames and blocks above, the backing's data (EROFS) or zeros where there are none.
 *
 * A frame made by writing covers the backing's page for good, so copy-up happens page by page. Allocated memory
 * at and beyond the file's size is always zero. */
#ifndef KERNEL_VFS_DATA_H
#define KERNEL_VFS_DATA_H

#include "kernel/mm/vm.h"
#include "kernel/vfs/inode.h"

#define DATA_SIZE_MAX INT64_MAX

/** Makes the contents of a new inode empty. */
void data_init(struct inode *inode);

/** Gives all memory back. */
void data_free(struct inode *inode);

/**
 * Where the byte at offset lies, below the file's size or not. *bytes is cut to what lies there in one piece;
 * *data is NULL for zeros. 0 or a negative errno of the backing.
 */
int data_map(struct inode *inode, uint64_t offset, const void **data, size_t *bytes);

/** Where contents lie that data_find was asked for. */
struct data_place {
	const void *memory; /**< NULL: of the backing, or zeros */
	bool of_backing;    /**< at the same offset */
};

/** The same without asking the backing. */
void data_find(const struct inode *inode, uint64_t offset, struct data_place *place, size_t *bytes);

/** Reads into the program's or the kernel's memory: bytes read, 0 at the end, or a negative errno. */
long data_read(struct inode *inode, void *to, size_t bytes, uint64_t offset);

/** Writes, growing the file: bytes written, or -ENOSPC, -EFBIG, -EFAULT when there are none. */
long data_write(struct inode *inode, const void *from, size_t bytes, uint64_t offset);

/** Sets the size. 0 or a negative errno. */
int data_truncate(struct inode *inode, uint64_t size);

/** Allocates memory for a range, which may lie beyond the size. 0, -ENOSPC or another negative errno. */
int data_reserve(struct inode *inode, uint64_t offset, uint64_t bytes);

/** The same three for what is no file of a program, or has been found to be within its limit (RLIMIT_FSIZE), which the
 * personality may have: kernel/linux/files/file_limit.c. */
long data_write_unlimited(struct inode *inode, const void *from, size_t bytes, uint64_t offset);
int data_truncate_unlimited(struct inode *inode, uint64_t size);
int data_reserve_unlimited(struct inode *inode, uint64_t offset, uint64_t bytes);

/** Makes a range read as zeros, and gives back its whole frames. 0 or a negative errno. */
int data_punch(struct inode *inode, uint64_t offset, uint64_t bytes);

/** The next data (hole false) or hole at or after offset, or -ENXIO at or beyond the size: SEEK_DATA, SEEK_HOLE. */
int64_t data_seek(struct inode *inode, uint64_t offset, bool hole);

/**
 * The guest-physical address of a page of the file, for mmap; *own tells whether the file may be written to there. It
 * is a page of the backing's only when it need not be written to (VM_STORE) and an aligned one exists. 0, -EAGAIN when
 * VM_PEEK would have to allocate, -ENOMEM or another negative errno of the backing. While inode->data.mappings is not
 * 0, vm_zap is called before the address changes.
 */
int data_page(struct inode *inode, uint64_t page, enum vm_access access, uint64_t *physical, bool *own);

#endif
