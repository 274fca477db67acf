/* SPDX-License-Identifier: MIT */
/* Directory entries: every name in memory, in one hash over (directory, name) and in its directory's list.
 *
 * The hash answers lookups; nothing is ever listed in its order. Listings use a sorted snapshot, which keeps the
 * offsets of getdents64(2) stable while names come and go. */
#ifndef KERNEL_VFS_DENTRY_H
#define KERNEL_VFS_DENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/vfs/inode.h"

struct dentry {
	union {
		struct dentry *hash_next;
		struct inode
			*was_in; /**< of a removed name that open files still have: its directory, with a reference */
	};
	struct dentry *next, *prev; /**< siblings in its directory */
	struct inode *dir;          /**< NULL once the name is removed */
	struct inode *inode;        /**< with a reference; NULL until loaded */
	uint64_t backing_ino;       /**< number of the object while it is not loaded */
	uint32_t hash;
	uint32_t refs; /**< 1 for its directory, 1 for each listing, 1 for each file opened by it */
	uint8_t type;  /**< LINUX_DT_* */
	uint8_t length;
	uint8_t mounted; /**< inode is the root of another mount: EBUSY */
	bool ahead : 1;  /**< the inode was loaded ahead, with another one, and was not used since */
	bool passed : 1; /**< the program has used a later name, or left the directory (host_guess.h) */
	bool moved : 1;  /**< a removed name whose object got another one (rename) */
	bool gone : 1;   /**< in dir.gone */
	char name[];     /**< with a NUL */
};

/** A snapshot of a directory's children in the byte order of their names. */
struct listing {
	uint32_t refs;
	size_t count;
	struct dentry *entries[];
};

/** Hash of a name, computed byte by byte while a path is scanned: h = DENTRY_HASH_STEP(h, byte) from 0. */
#define DENTRY_HASH_STEP(hash, byte) ((hash)*31 + (uint8_t)(byte))

/** The hash of a whole name. */
uint32_t dentry_hash(const char *name, size_t length);

/** Finds a name. Returns 0, with *found NULL when the name does not exist, or a negative errno of the backing. */
int dentry_lookup(struct inode *dir, const char *name, size_t length, uint32_t hash, struct dentry **found);

/** Finds a name in memory; NULL: the name is not in memory. */
struct dentry *dentry_find(struct inode *dir, const char *name, size_t length, uint32_t hash);

/** The inode of a dentry, without a reference. Loads it if needed. */
int dentry_inode(struct dentry *dentry, struct inode **inode);

/** Adds a name, which must not exist, and takes a reference on inode. inode may be NULL for inode_ops.lookup and
 * populate, which fill it in later. Neither times nor link counts change. NULL without memory. */
struct dentry *dentry_add(struct inode *dir, const char *name, size_t length, uint8_t type, struct inode *inode);

/** Makes a name refer to another object: takes a reference on that and drops the old one. */
void dentry_replace(struct dentry *dentry, struct inode *inode);

/** Removes a name and its reference on the inode, after dentry_removable. If the changes of its file system are
 * reported, a name of the backing stays in dir.gone. */
void dentry_remove(struct dentry *dentry);

/** Brings every name of the backing into memory. Returns 0 or a negative errno. */
int dentry_complete(struct inode *dir);

/** Makes sure that a removed name does not come back from the backing. Returns 0 or a negative errno. */
static inline int dentry_removable(const struct dentry *dentry)
{
	return dentry->backing_ino ? dentry_complete(dentry->dir) : 0; /* other names never were in the backing */
}

/** Sorts the children of a complete directory by name, in byte order. Allocates nothing. */
void dentry_sort(struct inode *dir);

/** The sorted names, with a reference. Returns 0 or a negative errno. */
int dentry_listing(struct inode *dir, struct listing **listing);

/** Drops a reference; the last one frees the listing. */
void dentry_put_listing(struct listing *listing);

/** Drops a reference that was added to refs. */
void dentry_put(struct dentry *dentry);

/** Frees all names of a directory that is being destroyed. */
void dentry_free_all(struct inode *dir);

/** The LINUX_DT_* of a mode. */
static inline uint8_t dentry_type(uint32_t mode)
{
	return (uint8_t)((mode & LINUX_S_IFMT) >> 12);
}

#endif
